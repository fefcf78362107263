package extract

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// CutSplitsCommand is the stage cut-splits.
func CutSplitsCommand() stage.Command {
	return stage.Command{
		Name:        "cut-splits",
		Summary:     "cut an extraction plan into splits of equal size",
		Description: "Adds up the compressed lengths. No split is empty, and none is larger than --max-size unless one record is.",
		Input:       "Lines of parse-captures, sorted by three fields.",
		Output:      "Side files split-NNNNNN.tsv: the lines of each split.",
		Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | cut-splits --max-size 100000000 --output splits",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "order", Value: "archive", Usage: "`ORDER` that the plan is sorted by: archive or input"},
			&cli.Int64Flag{Name: "max-size", Value: 100e6, Usage: "`BYTES` of a split's records"},
			&cli.Int64Flag{Name: "splits", Usage: "make `N` splits of about equal size instead; needs --total"},
			&cli.Int64Flag{Name: "total", Usage: "`BYTES` of all records"},
			&cli.IntFlag{Name: "reducers", Value: 1, Usage: "`N` reducers cut the plan"},
		},
		Run: func(t *stage.Task) error {
			order, err := ParseOrder(t.String("order"))
			if err != nil {
				return err
			}
			return CutSplits(t, CutOptions{
				Order:    order,
				MaxSize:  t.Int64("max-size"),
				Splits:   t.Int64("splits"),
				Total:    t.Int64("total"),
				Reducers: t.Int("reducers"),
			})
		},
	}
}

// DropDuplicatesCommand is the stage drop-duplicates.
func DropDuplicatesCommand() stage.Command {
	return stage.Command{
		Name:        "drop-duplicates",
		Summary:     "keep the first capture of each record in an extraction plan",
		Description: "Two captures are of one record when archive file and offset are equal.",
		Input:       "Lines of parse-captures --order archive, sorted by three fields.",
		Output:      "Lines of the same plan in the form that --order asks for.",
		Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | drop-duplicates | extract-records --archives warcs",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "order", Value: "archive", Usage: "`ORDER` that the output's form sorts by: archive or input"},
		},
		Run: func(t *stage.Task) error {
			order, err := ParseOrder(t.String("order"))
			if err != nil {
				return err
			}
			return DropDuplicates(t, order)
		},
	}
}

// ExtractRecordsCommand is the stage extract-records.
func ExtractRecordsCommand() stage.Command {
	return stage.Command{
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
		Run: runExtractRecords,
	}
}

func runExtractRecords(t *stage.Task) error {
	archives, err := OpenPlan(t.String("archives"), t.String("path-index"))
	if err != nil {
		return err
	}
	defer archives.Close()
	return Records(t, archives, Options{
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

// ListRecordsCommand is the stage list-records.
func ListRecordsCommand() stage.Command {
	return stage.Command{
		Name:        "list-records",
		Summary:     "list the records of ARC and WARC files",
		Description: "Reads every record and verifies its gzip member. What is damaged is rejected with its offset; the rest is listed. Of several records in one gzip member the first is listed.",
		Input:       "Paths or URIs of archive files.",
		Output:      "URL TAB ARCHIVE TAB OFFSET TAB LENGTH: a list of captures as parse-captures and jobs/extract.sh read it.",
		Example:     "ls warcs/*.warc.gz | list-records > captures.tsv",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "strict", Usage: "fail at the end if anything was damaged"},
		},
		Run: func(t *stage.Task) error { return ListRecords(t, t.Bool("strict")) },
	}
}

// ParseCapturesCommand is the stage parse-captures.
func ParseCapturesCommand() stage.Command {
	return stage.Command{
		Name:        "parse-captures",
		Summary:     "turn lists of captures into an extraction plan",
		Description: "Recognises each line's form by itself. A line that is no capture is rejected, header lines are passed over.",
		Input:       "Captures: URL, archive file, offset, length separated by tabs; CDX with 9 to 11 fields; or CDXJ.",
		Output:      "ARCHIVE TAB OFFSET TAB POSITION TAB LENGTH TAB FORM TAB LINE, or with --order input the position first. Key: three fields.",
		Example:     "parse-captures < captures.cdxj | LC_ALL=C sort | extract-records --archives warcs --output picked",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "order", Value: "archive", Usage: "`ORDER` that the plan sorts by: archive (file and offset) or input (as listed)"},
			&cli.StringFlag{Name: "inputs", Usage: "`FILE` that names all lists, one a line, in the order that --order input keeps"},
		},
		Run: func(t *stage.Task) error {
			order, err := ParseOrder(t.String("order"))
			if err != nil {
				return err
			}
			return ParseCaptures(t, order, t.String("inputs"))
		},
	}
}

// WriteTablesCommand is the stage write-tables.
func WriteTablesCommand() stage.Command {
	return stage.Command{
		Name:    "write-tables",
		Summary: "write sorted tables into files",
		Input:   "TABLE TAB KEY TAB LINE, sorted by two fields; where LINE is empty, KEY is the line.",
		Output:  "Side files named by TABLE that hold the lines.",
		Example: "extract-records --archives warcs < plan | LC_ALL=C sort | write-tables --output tables",
		Run:     WriteTables,
	}
}
