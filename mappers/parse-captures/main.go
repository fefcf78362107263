// Command parse-captures turns lists of captures into lines of an extraction
// plan, which sort by archive file and offset.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "parse-captures",
	Summary:     "turn lists of captures into an extraction plan",
	Description: "Recognises each line's form by itself. A line that is no capture is rejected, header lines are passed over.",
	Input:       "Captures: URL, archive file, offset, length separated by tabs; CDX with 9 to 11 fields; or CDXJ.",
	Output:      "ARCHIVE TAB OFFSET TAB POSITION TAB LENGTH TAB FORM TAB LINE, or with --order input the position first. Key: three fields.",
	Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | extract-records --archives warcs --output picked",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "order", Value: "archive", Usage: "`ORDER` that the plan sorts by: archive (file and offset) or input (as listed)"},
		&cli.StringFlag{Name: "inputs", Usage: "`FILE` that names all lists, one a line, in the order that --order input keeps"},
	},
	Run: func(t *stage.Task) error {
		order, err := extract.ParseOrder(t.String("order"))
		if err != nil {
			return err
		}
		return extract.ParseCaptures(t, order, t.String("inputs"))
	},
}
