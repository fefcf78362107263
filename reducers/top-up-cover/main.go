// Command top-up-cover adds documents to a cover until each group has its minimum.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "top-up-cover",
	Summary: "add documents to a cover until each group has its minimum",
	Input:   "Lines of solve-components --groups, sorted by two fields and then with the greatest key first.",
	Output:  "LABEL TAB 3 TAB KEY: the documents that are added, as lines of their components.",
	Example: "solve-components --groups < lines.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2 -k3,3r | top-up-cover --keep-per hostname=1",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "keep-per", Usage: "minima `ATTRIBUTE=N,...`"},
	},
	Run: func(t *stage.Task) error {
		minima, err := cover.ParseMinima(t.String("keep-per"))
		if err != nil {
			return stage.Usage("--keep-per: %v", err)
		}
		return cover.TopUp(t, minima)
	},
}
