// Command find-originals puts revisits beside the captures that may have their
// payload.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "find-originals",
	Summary:     "put revisits beside the captures that may have their payload",
	Description: "A revisit's record has no payload: that of an earlier capture with the same digest is meant, of the same URL if there is one. With --index the original of the same URL is looked up in sorted indexes.",
	Input:       "Lines of a plan, of which the revisits need an original, and index lines. With --index lines of a plan.",
	Output:      "DIGEST TAB KEY TAB KIND TAB ORDER TAB PLAN, for resolve-revisits. With --index lines of a plan.",
	Example:     "cat plan.tsv index.cdxj | find-originals | LC_ALL=C sort | resolve-revisits | LC_ALL=C sort > resolved.tsv",
	Flags: []cli.Flag{
		&cli.StringSliceFlag{Name: "index", Usage: "`PATH` of a sorted index to be searched; can be repeated"},
		&cli.StringFlag{Name: "wanted", Usage: "`PATH` of the plan: index lines with other digests than its revisits have are left out"},
	},
	Run: func(t *stage.Task) error {
		return selection.FindOriginals(t, selection.OriginalOptions{Indexes: t.StringSlice("index"), Wanted: t.String("wanted")})
	},
}
