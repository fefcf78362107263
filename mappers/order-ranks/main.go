// Command order-ranks keys vertices so that they sort by rank.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "order-ranks",
	Summary: "key vertices so that they sort by rank, the highest first",
	Input:   "Records of vertices; with --by harmonic lines of place-ranks.",
	Output:  "KEY TAB ID TAB VERTEX TAB HOSTS TAB HARMONIC TAB PAGERANK, with --by harmonic the position by PageRank behind it. Key: two fields.",
	Example: "order-ranks --total 1152921504606846976 < records | LC_ALL=C sort | place-ranks",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "by", Value: "pagerank", Usage: "`MEASURE`: pagerank or harmonic"},
		&cli.Int64Flag{Name: "total", Value: 1 << 60, Usage: "`SUM` of all ranks"},
	},
	Run: func(t *stage.Task) error {
		by, err := webgraph.ParseMeasure(t.String("by"))
		if err != nil {
			return err
		}
		return webgraph.OrderRanks(t, by, t.Int64("total"))
	},
}
