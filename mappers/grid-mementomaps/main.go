// Command grid-mementomaps compacts a map with all pairs of some weights at once.
package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"archivestream/lib/mapeval"
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "grid-mementomaps",
	Summary:     "compact a map with all pairs of some weights at once",
	Description: "One pass: each map is made of the lines of the one with the next larger weight, as they come.",
	Input:       "A map in UKVS without roll-ups, sorted as by LC_ALL=C sort.",
	Output:      "Side files maps/hW-pW.ukvs, for the weights of hosts and of paths.",
	Example:     "grid-mementomaps --weights 4,2,1 --output grid < baseline.ukvs",
	Flags: slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "weights", Value: "4,2,1,0.5,0.25,0", Usage: "`LIST` of weights for hosts and for paths"},
	}, mementomap.Flags(false)),
	Run: func(t *stage.Task) error {
		weights, err := mapeval.ParseWeights(t.String("weights"))
		if err != nil {
			return stage.Usage("--weights: %v", err)
		}
		o, err := mementomap.OptionsOf(t)
		if err != nil {
			return err
		}
		return mapeval.Grid(t, o, weights)
	},
}
