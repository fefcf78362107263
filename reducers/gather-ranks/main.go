// Command gather-ranks computes the ranks of vertices after one more iteration.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "gather-ranks",
	Summary: "compute PageRank and harmonic centrality after one more iteration",
	Input:   "Lines of spread-ranks, sorted by one field.",
	Output:  "Records of vertices. Counters: changed, moved, dangling, rank.",
	Example: "spread-ranks --vertices 1000 < records | LC_ALL=C sort | gather-ranks --vertices 1000 --dangling 0",
	Flags: []cli.Flag{
		&cli.Int64Flag{Name: "vertices", Usage: "`N` vertices of the graph"},
		&cli.Int64Flag{Name: "step", Value: 1, Usage: "`N`th iteration"},
		&cli.IntFlag{Name: "exact", Value: 64, Usage: "count up to `N` vertices exactly"},
		&cli.IntFlag{Name: "bits", Value: 8, Usage: "2^`N` registers of a counter beyond that"},
		&cli.Int64Flag{Name: "dangling", Usage: "`RANK` that vertices without edges had before, in units of 2^-60"},
	},
	Run: func(t *stage.Task) error {
		return webgraph.GatherRanks(t, webgraph.RankOptions{
			Vertices: t.Int64("vertices"), Step: t.Int64("step"), Dangling: t.Int64("dangling"),
			Counter: webgraph.CounterOptions{Exact: t.Int("exact"), Bits: t.Int("bits")},
		})
	},
}
