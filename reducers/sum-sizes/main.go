// Command sum-sizes adds the sizes of components up into stats.json.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "sum-sizes",
	Summary: "add the sizes of components up",
	Input:   "SIZE TAB NUMBER, in any order, as count-sizes and union-edges make them.",
	Output:  "Side file stats.json: vertices, edges, components, largest, rounds, and sizes as pairs of a size and how many components have it.",
	Example: "cat _sizes/part-*.tsv | sum-sizes --edges 12 --output components",
	Flags: []cli.Flag{
		&cli.Int64Flag{Name: "edges", Usage: "the graph has `N` edges"},
		&cli.IntFlag{Name: "rounds", Usage: "the components were found in `N` rounds"},
	},
	Run: func(t *stage.Task) error { return graph.WriteStats(t, t.Int64("edges"), t.Int("rounds")) },
}
