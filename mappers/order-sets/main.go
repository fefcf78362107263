// Command order-sets brings the shingles of sets into the global order.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "order-sets",
	Summary:     "bring the shingles of sets into the global order",
	Description: "The order is by ascending frequency, as far as 2^18 counters tell it.",
	Input:       "Paths of blocks of group-sets.",
	Output:      "A line about each block (blocks.tsv); side files sets/ and _sample/ of the blocks' names.",
	Example:     "ls sets/_blocks/* | order-sets --counts sets/_counts --output sets > sets/sets/blocks.tsv",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "counts", Value: "counts", Usage: "`FILE` of the counters"},
		&cli.IntFlag{Name: "sample", Usage: "one of `N` sets goes into the sample, too"},
	},
	Run: func(t *stage.Task) error {
		return simjoin.OrderSets(t, simjoin.OrderOptions{Counts: t.String("counts"), Sample: t.Int("sample")})
	},
}
