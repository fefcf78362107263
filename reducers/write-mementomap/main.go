// Command write-mementomap writes a profile of an archive with its headers.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "write-mementomap",
	Summary:     "write a profile of an archive with its headers",
	Description: "Headers are those of the map that it was made of; of several maps each one's name and headers are kept in !meta.",
	Input:       "Sorted lines KEY FREQUENCY.",
	Output:      "mementomap.ukvs; with --gzip mementomap.ukvs.gz, in blocks that can be inflated alone, and their index mementomap.ukvs.gz.idx.",
	Example:     "LC_ALL=C sort -m a.ukvs b.ukvs | grep -v ^! | compact-mementomap | write-mementomap --of a.ukvs --of b.ukvs --output both",
	Flags: []cli.Flag{
		&cli.BoolFlag{Name: "gzip", Usage: "in blocks, compressed"},
		&cli.StringSliceFlag{Name: "meta", Usage: "`FILE` of headers, lines that begin with !; can be repeated"},
		&cli.StringSliceFlag{Name: "of", Usage: "`FILE` of a map that went into this one; can be repeated"},
	},
	Run: func(t *stage.Task) error {
		return mementomap.WriteMap(t, mementomap.WriteOptions{Gzip: t.Bool("gzip"), Meta: t.StringSlice("meta"), Of: t.StringSlice("of")})
	},
}
