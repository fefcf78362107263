// Command lookup-mementomap tells which URIs an archive holds, by its profile.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "lookup-mementomap",
	Summary: "tell which URIs an archive holds, by its profile",
	Description: `Gives the most specific line of a map that covers a URI: its own, then the wildcards of its path, of the paths above it, of its host and of the hosts above. A frequency of zero says that it is absent.
The map is searched where it lies. Of sorted URIs (by their keys) each part of it is read about once.`,
	Input:   "URIs, one a line. With --keys SURTs.",
	Output:  "URI TAB MATCHED KEY TAB FREQUENCY; - twice where no line covers the URI.",
	Example: "lookup-mementomap --map mementomap.ukvs < uris.txt",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "map", Usage: "`FILE` in UKVS, sorted: text, or gzip, with the index of its blocks beside it or not; hdfs://, https:// too"},
		&cli.BoolFlag{Name: "keys", Usage: "the input is SURTs"},
	},
	Run: func(t *stage.Task) error { return mementomap.Lookup(t, t.String("map"), t.Bool("keys")) },
}
