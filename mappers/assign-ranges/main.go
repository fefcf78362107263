// Command assign-ranges sends index lines to the reducers of their ranges.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/cdx"
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "assign-ranges",
	Summary:     "send index lines to the reducers of their ranges",
	Description: "Puts a word in front of each line that Hadoop's KeyFieldBasedPartitioner (-k1,1) sends to the reducer of the line's range. Lines in another layout are brought into the one that is wanted.",
	Input:       "Index lines: CDX or CDXJ.",
	Output:      "WORD TAB LINE, to be sorted by both.",
	Example:     "assign-ranges --ranges ranges.txt --shards 8 < index.cdxj | LC_ALL=C sort | write-index --ranged",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "ranges", Usage: "`FILE` that cut-ranges has made (default: one range)"},
		&cli.IntFlag{Name: "shards", Value: 1, Usage: "`N` reducers sort"},
		&cli.StringFlag{Name: "layout", Value: string(cdx.LayoutCDXJ), Usage: "`LAYOUT` of the lines: cdxj, cdxj-cc, cdxj-meta, cdxj-all, cdx11 or cdx9"},
		&cli.StringFlag{Name: "fresh", Usage: "take lines over unseen that come from below `FOLDER`"},
		&cli.StringFlag{Name: "drop", Usage: "leave out captures in the archive files that `FILE` names, one a line"},
	},
	Run: func(t *stage.Task) error {
		layout, err := cdx.ParseLayout(t.String("layout"))
		if err != nil {
			return stage.Usage("--layout: %v", err)
		}
		return index.AssignRanges(t, index.AssignOptions{
			Ranges:   t.String("ranges"),
			Reducers: t.Int("shards"),
			New:      t.String("fresh"),
			Drop:     t.String("drop"),
			Layout:   layout,
		})
	},
}
