// Command drop-duplicates keeps the first of the captures in an extraction plan
// that name the same record.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "drop-duplicates",
	Summary:     "keep the first capture of each record in an extraction plan",
	Description: "Two captures are of one record when archive file and offset are equal.",
	Input:       "Lines of parse-captures --order archive, sorted by three fields.",
	Output:      "Lines of the same plan in the form that --order asks for.",
	Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | drop-duplicates | extract-records --archives warcs",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "order", Value: "archive", Usage: "`ORDER` that the output's form sorts by: archive or input"},
	},
	Run: func(t *stage.Task) error {
		order, err := extract.ParseOrder(t.String("order"))
		if err != nil {
			return err
		}
		return extract.DropDuplicates(t, order)
	},
}
