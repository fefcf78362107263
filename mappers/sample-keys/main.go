// Command sample-keys emits the keys of a sample of index lines.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "sample-keys",
	Summary:     "emit the keys of a sample of index lines",
	Description: "Picks lines by their hash: the sample does not depend on the number of tasks.",
	Input:       "Index lines: CDX or CDXJ.",
	Output:      "Key and timestamp of each line that is picked, for cut-ranges.",
	Example:     "sample-keys --ranges 8 --lines 1000000 < index.cdxj | LC_ALL=C sort | cut-ranges --ranges 8",
	Flags: []cli.Flag{
		&cli.IntFlag{Name: "ranges", Value: 1, Usage: "`N` ranges are to be cut"},
		&cli.Int64Flag{Name: "lines", Usage: "about `N` lines are there in all"},
	},
	Run: func(t *stage.Task) error { return index.SampleKeys(t, t.Int("ranges"), t.Int64("lines")) },
}
