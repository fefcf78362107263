// Command cut-splits cuts a sorted extraction plan into files, one for each map
// task of the extraction.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "cut-splits",
	Summary:     "cut an extraction plan into splits of equal size",
	Description: "Adds up the compressed lengths. No split is empty, and none is larger than --max-size unless one record is.",
	Input:       "Lines of parse-captures, sorted by three fields.",
	Output:      "Side files split-NNNNNN.tsv: the lines of each split.",
	Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | cut-splits --max-size 100000000 --output splits",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "order", Value: "archive", Usage: "`ORDER` that the plan is sorted by: archive or input"},
		&cli.Int64Flag{Name: "max-size", Value: 100e6, Usage: "`BYTES` of a split's records"},
		&cli.Int64Flag{Name: "splits", Usage: "make `N` splits of about equal size instead; needs --total"},
		&cli.Int64Flag{Name: "total", Usage: "`BYTES` of all records"},
		&cli.IntFlag{Name: "reducers", Value: 1, Usage: "`N` reducers cut the plan"},
	},
	Run: func(t *stage.Task) error {
		order, err := extract.ParseOrder(t.String("order"))
		if err != nil {
			return err
		}
		return extract.CutSplits(t, extract.CutOptions{
			Order:    order,
			MaxSize:  t.Int64("max-size"),
			Splits:   t.Int64("splits"),
			Total:    t.Int64("total"),
			Reducers: t.Int("reducers"),
		})
	},
}
