// Command spread-ranks tells vertices what those that link to them have.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "spread-ranks",
	Summary: "tell vertices the rank and the counters of those that link to them",
	Input:   "Records of vertices (package webgraph).",
	Output:  "The records, and ID TAB RANK TAB COUNTER. Key: one field.",
	Example: "spread-ranks --vertices 1000 < records | LC_ALL=C sort | gather-ranks --vertices 1000 --dangling 0",
	Flags: []cli.Flag{
		&cli.Int64Flag{Name: "vertices", Usage: "`N` vertices of the graph"},
		&cli.Int64Flag{Name: "step", Value: 1, Usage: "`N`th iteration"},
		&cli.IntFlag{Name: "exact", Value: 64, Usage: "count up to `N` vertices exactly"},
		&cli.IntFlag{Name: "bits", Value: 8, Usage: "2^`N` registers of a counter beyond that"},
	},
	Run: func(t *stage.Task) error {
		return webgraph.SpreadRanks(t, webgraph.RankOptions{
			Vertices: t.Int64("vertices"), Step: t.Int64("step"),
			Counter: webgraph.CounterOptions{Exact: t.Int("exact"), Bits: t.Int("bits")},
		})
	},
}
