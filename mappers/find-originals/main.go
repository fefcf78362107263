// Command find-originals puts revisits beside the captures that may have their
// payload.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/selection"
	"archivestream/lib/stage"
	"archivestream/lib/zipnum"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "find-originals",
	Summary:     "put revisits beside the captures that may have their payload",
	Description: "A revisit's record has no payload: that of an earlier capture with the same digest is meant, of the same URL if there is one. With --index the original of the same URL is looked up in sorted indexes. For what is left, --by read notes in the plan what the records of revisits say of their originals (WARC-Refers-To-Target-URI and -Date, WARC-Refers-To), and --by reference puts them beside the captures of that URL and date, or of that id.",
	Input:       "Lines of a plan, of which the revisits need an original, and index lines. With --index lines of a plan.",
	Output:      "DIGEST TAB KEY TAB KIND TAB ORDER TAB PLAN, for resolve-revisits. With --index lines of a plan.",
	Example:     "cat plan.tsv index.cdxj | find-originals | LC_ALL=C sort | resolve-revisits | LC_ALL=C sort > resolved.tsv",
	Flags: []cli.Flag{
		zipnum.ElsewhereFlag(),
		&cli.StringSliceFlag{Name: "index", Usage: "`PATH` of a sorted index to be searched; can be repeated"},
		&cli.StringFlag{Name: "wanted", Usage: "`PATH` of the plan: index lines that none of its revisits needs are left out"},
		&cli.StringFlag{Name: "by", Value: "digest", Usage: "`WHAT` originals are found by: digest or reference; or read, which notes references in the plan"},
		&cli.StringFlag{Name: "archives", Usage: "`FOLDER` or URI that the names of archive files are relative to, for --by read and reference"},
		&cli.StringFlag{Name: "path-index", Usage: "`FILE` with lines NAME TAB PATH, sorted as by LC_ALL=C sort"},
	},
	Run: run,
}

func run(t *stage.Task) error {
	o := selection.OriginalOptions{Indexes: t.StringSlice("index"), Wanted: t.String("wanted"), By: t.String("by")}
	if o.By == "digest" {
		return selection.FindOriginals(t, nil, o)
	}
	archives, err := extract.OpenPlan(t.String("archives"), t.String("path-index"))
	if err != nil {
		return err
	}
	defer archives.Close()
	return selection.FindOriginals(t, archives, o)
}
