// Command plan-join says which blocks of sets have to be compared.
package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "plan-join",
	Summary:     "say which blocks of sets have to be compared",
	Description: "Leaves out blocks of which sizes or keys rule out that they have a pair, and two blocks that are both old.",
	Input:       "Nothing.",
	Output:      "Tasks of join-sets, the longest first: the block to index and the blocks to look up in it, separated by tabs.",
	Example:     "plan-join --cover 'jaccard(a, b) >= 0.8' --blocks sets/sets < /dev/null | join-sets --cover 'jaccard(a, b) >= 0.8'",
	Flags: simjoin.Flags(
		&cli.StringFlag{Name: "blocks", Value: ".", Usage: "`FOLDER` of new blocks, with their blocks.tsv"},
		&cli.StringFlag{Name: "old", Usage: "`FOLDER` of blocks that have been compared with each other"},
		&cli.Int64Flag{Name: "limit", Value: 1 << 28, Usage: "look up about `N` shingles in a task"},
	),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		return simjoin.Plan(os.Stdout, r, simjoin.PlanOptions{Blocks: t.String("blocks"), Old: t.String("old"), Limit: t.Int64("limit")})
	},
}
