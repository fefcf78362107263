// Command compact-mementomap makes a profile of an archive's holdings smaller.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "compact-mementomap",
	Summary: "make a profile of an archive's holdings smaller",
	Description: `Rolls up hosts and paths with many children into one line with a wildcard. One pass in bounded memory; lines of equal keys, of several maps, are added up.
Every key stays covered, and exclusions stay as they are.`,
	Input:   "A map in UKVS, sorted as by LC_ALL=C sort: KEY CAPTURES[/URIS], perhaps a JSON object behind. Headers begin with !.",
	Output:  "The smaller map, in the same form. With --files the data alone, in map/part-NNNNN.",
	Example: "LC_ALL=C sort -m 2019.ukvs 2020.ukvs | compact-mementomap --host-weight 4 --path-weight 2 > both.ukvs",
	Flags:   mementomap.Flags(true),
	Run: func(t *stage.Task) error {
		o, err := mementomap.OptionsOf(t)
		if err != nil {
			return err
		}
		return mementomap.Compact(t, o, t.Bool("files"))
	},
}
