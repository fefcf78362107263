// Command add-counts adds up the captures and URIs of the keys of a profile.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "add-counts",
	Summary:     "add up the captures and URIs of the keys of a profile",
	Description: "Lines of several maps are added up too: the number of different URIs is an upper bound then.",
	Input:       "What count-captures emits, sorted by the first three fields.",
	Output:      "KEY CAPTURES/URIS, or KEY 0 for what is excluded, sorted. With --combine the form of the input.",
	Example:     "count-captures < index.cdxj | LC_ALL=C sort | add-counts > keys.ukvs",
	Flags: []cli.Flag{
		&cli.BoolFlag{Name: "combine", Usage: "add up what a map task emits, before it is sorted with the rest"},
	},
	Run: func(t *stage.Task) error {
		if t.Bool("combine") {
			return mementomap.CombineCounts(t)
		}
		return mementomap.AddCounts(t)
	},
}
