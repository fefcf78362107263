// Command estimate-join says about how many edges a join will find, and how long it
// will take.
package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "estimate-join",
	Summary:     "say about how many edges a join will find, and how long it will take",
	Description: "Joins a sample, which it holds in memory. Of old blocks, all are read for one.",
	Input:       "Nothing.",
	Output:      "One line, for a person.",
	Example:     "estimate-join --cover 'jaccard(a, b) >= 0.8' --blocks sets/sets --sample-folder sets/_sample --sample 20 < /dev/null",
	Flags: simjoin.Flags(
		&cli.StringFlag{Name: "blocks", Value: ".", Usage: "`FOLDER` of the blocks, with their blocks.tsv"},
		&cli.StringFlag{Name: "old", Usage: "`FOLDER` of blocks that have been compared with each other, if any"},
		&cli.StringFlag{Name: "sample-folder", Usage: "`FOLDER` of the sample of order-sets"},
		&cli.IntFlag{Name: "sample", Value: 1, Usage: "of `N` sets one is in the sample"},
	),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		return simjoin.Estimate(os.Stdout, r, simjoin.EstimateOptions{Blocks: t.String("blocks"), Old: t.String("old"), Sample: t.String("sample-folder"), One: t.Int("sample")})
	},
}
