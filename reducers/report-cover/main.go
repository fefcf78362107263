// Command report-cover writes stats.json and report.html of a cover.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "report-cover",
	Summary: "write stats.json and report.html of a cover",
	Input:   "Summaries of solve-components.",
	Output:  "Side files stats.json and report.html.",
	Example: "cat _summary/part-* | report-cover --output result",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "cover", Usage: "`EXPRESSION` of the relation"},
		&cli.Int64Flag{Name: "shingle-size", Usage: "`K` terms of a shingle"},
		&cli.StringFlag{Name: "weight", Usage: "`EXPRESSION` of a document's weight"},
		&cli.StringFlag{Name: "keep-per", Usage: "minima `ATTRIBUTE=N,...`"},
		&cli.IntFlag{Name: "exact-limit", Value: cover.DefaultExact, Usage: "`N` candidates of parts that were searched"},
		&cli.Int64Flag{Name: "shingles", Usage: "`N` shingles of all documents"},
		&cli.Int64Flag{Name: "urls", Usage: "`N` URLs"},
		&cli.Int64Flag{Name: "versions", Usage: "`N` documents that have a URL"},
		&cli.Int64Flag{Name: "squares", Usage: "`N`, the squares of each URL's documents added up"},
		&cli.Int64Flag{Name: "added", Usage: "`N` documents were added for the minima"},
		&cli.Int64Flag{Name: "without-weight", Usage: "`N` documents weigh 1 as the expression gives nothing"},
	},
	Run: func(t *stage.Task) error {
		return cover.WriteReport(t, cover.Collection{
			Cover: t.String("cover"), ShingleSize: t.Int64("shingle-size"), Weighing: t.String("weight"), KeepPer: t.String("keep-per"),
			ExactLimit: t.Int("exact-limit"), Shingles: t.Int64("shingles"), URLs: t.Int64("urls"), Versions: t.Int64("versions"),
			Squares: t.Int64("squares"), Added: t.Int64("added"), NoWeight: t.Int64("without-weight"),
		})
	},
}
