// Command extract-records copies the records of an extraction plan out of their
// archive files into new ones.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "extract-records",
	Summary:     "copy records of ARC and WARC files by offset, byte for byte",
	Description: "Records that lie close together are fetched with one read. One that cannot be extracted is rejected with the reason.",
	Input:       "Lines of parse-captures --order archive, sorted or in any order.",
	Output:      "Side files PREFIX-NNNNNN-C.warc.gz (.arc.gz, .warc, .arc); lines of the tables manifest.tsv and index.cdxj: TABLE TAB KEY TAB LINE. Key: two fields.",
	Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | extract-records --archives warcs --output picked",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "archives", Usage: "`FOLDER` or URI that the names of archive files are relative to"},
		&cli.StringFlag{Name: "path-index", Usage: "`FILE` with lines NAME TAB PATH, sorted as by LC_ALL=C sort"},
		&cli.StringFlag{Name: "format", Value: "same", Usage: "`FORMAT` of the output: same, warc or arc"},
		&cli.Int64Flag{Name: "max-size", Value: 100e6, Usage: "`BYTES` of an output file's records"},
		&cli.StringFlag{Name: "verify", Value: "none", Usage: "`WHAT` to check before a record is taken: none, url (and date), or digest as well"},
		&cli.StringFlag{Name: "prefix", Value: "EXTRACT", Usage: "`NAME` that the names of output files begin with; {digest} in it becomes a digest of --plan and of the options"},
		&cli.StringFlag{Name: "plan", Usage: "`TEXT` that tells the plan from others, such as the counters plan-high and plan-low of cut-splits"},
		&cli.Int64Flag{Name: "number", Value: -1, Usage: "`N` in the names of output files (default: the split's or the task's number)"},
		&cli.StringFlag{Name: "date", Usage: "`TIMESTAMP` of the header records, 14 digits (default: that of a file's first record)"},
		&cli.BoolFlag{Name: "with-requests", Usage: "copy next to each response and revisit its request, the record of that type that WARC-Concurrent-To of either names, if it is one of the three records before or after, no more than 1 MiB away"},
	},
	Run: run,
}

func run(t *stage.Task) error {
	archives, err := extract.OpenPlan(t.String("archives"), t.String("path-index"))
	if err != nil {
		return err
	}
	defer archives.Close()
	return extract.Records(t, archives, extract.Options{
		Format:  t.String("format"),
		MaxSize: t.Int64("max-size"),
		Verify:  t.String("verify"),
		Prefix:  t.String("prefix"),
		Plan:    t.String("plan"),
		Number:  t.Int64("number"),
		Date:    t.String("date"),

		WithRequests: t.Bool("with-requests"),
	})
}
