// Command measure-mementomap tells how many lines a profile has when it is compacted,
// for many weights at once.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "measure-mementomap",
	Summary:     "tell how many lines a profile has when it is compacted, for many weights",
	Description: "One pass in bounded memory, without making any of the maps.",
	Input:       "What compact-mementomap reads.",
	Output:      "A JSON object of lines by weights, and of nodes and their children by depth, for choose-weights.",
	Example:     "measure-mementomap < keys.ukvs | choose-weights --lines 100000",
	Flags:       mementomap.Flags(false),
	Run: func(t *stage.Task) error {
		o, err := mementomap.OptionsOf(t)
		if err != nil {
			return err
		}
		return mementomap.MeasureMap(t, o, t.Bool("files"))
	},
}
