package enrich

import (
	"os"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/pdftext"
	"archivestream/lib/stage"
)

// CountRowsCommand is the stage count-rows.
func CountRowsCommand() stage.Command {
	return stage.Command{
		Name:        "count-rows",
		Summary:     "write each row once, with the number of equal rows",
		Description: "A cell without text has no value.",
		Input:       "Rows of enrich-captures --save tsv, sorted as a whole.",
		Output:      "Side file part-NNNNN.csv.gz or .parquet.",
		Example:     "enrich-captures --archives warcs --columns domain --save tsv < plan.tsv | LC_ALL=C sort | count-rows --columns domain --count captures",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "columns", Usage: "`'NAME = EXPR'`,… as for enrich-captures"},
			&cli.StringSliceFlag{Name: "map-enrich", Usage: "`'PATH NAME = EXPR'` as for enrich-captures"},
			&cli.StringSliceFlag{Name: "enrich-with", Usage: "`'PATH NAME = COMMAND'` as for enrich-captures"},
			&cli.StringFlag{Name: "count", Usage: "`NAME` of the last column, which has the number of equal rows"},
			&cli.BoolFlag{Name: "raw-csv", Usage: "texts of CSV as they are (default: an apostrophe before those that a spreadsheet would take for a formula)"},
			&cli.StringFlag{Name: "save", Value: "csv", Usage: "`FORM` of the side file: csv or parquet"},
		},
		Run: func(t *stage.Task) error {
			return CountRows(t, CountOptions{
				Options: Options{Columns: t.StringSlice("columns"), MapEnrich: t.StringSlice("map-enrich"), EnrichWith: t.StringSlice("enrich-with")},
				Save:    t.String("save"), Count: t.String("count"), RawCSV: t.Bool("raw-csv"),
			})
		},
	}
}

// EnrichCapturesCommand is the stage enrich-captures.
func EnrichCapturesCommand() stage.Command {
	return stage.Command{
		Name:        "enrich-captures",
		Summary:     "derive values from the records of captures and save them with their lineage",
		Description: "Only what is asked for, or needed for it, is computed, each value once; conditions are evaluated as early as they can be. What is wrong with a value stands on its record under error. Paths:\n" + Help(),
		Input:       "Lines of a plan in archive order: of filter-captures, or of parse-captures --order archive, sorted.",
		Output:      "Side file part-NNNNN.json.gz (.csv.gz, .parquet, .txt.gz); JSON lines on standard output without --save, rows of --columns with --save tsv, lines of a plan with --save plan.",
		Example:     "filter-captures --index captures.cdxj --where 'status == 200' | LC_ALL=C sort | enrich-captures --archives warcs --enrich title,payload.string.length",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "archives", Usage: "`FOLDER` or URI that the names of archive files are relative to"},
			&cli.StringFlag{Name: "path-index", Usage: "`FILE` with lines NAME TAB PATH, sorted as by LC_ALL=C sort"},
			&cli.StringSliceFlag{Name: "enrich", Usage: "`PATHS` of values that appear in the output, separated by commas; response stands for recordHeader,httpHeader,payload"},
			&cli.StringSliceFlag{Name: "map-enrich", Usage: "`'PATH NAME = EXPR'` makes a value NAME below PATH"},
			&cli.StringSliceFlag{Name: "enrich-with", Usage: "`'PATH NAME = COMMAND'` makes a value by a program that is kept running: a JSON value on a line in, one on a line out"},
			&cli.StringSliceFlag{Name: "keep", Usage: "`EXPR` on captures and values that records must fulfil"},
			&cli.StringFlag{Name: "save", Usage: "`FORM` of the side file: json, csv, parquet, documents (for redundancy.sh) or text (a document a line); or on standard output tsv: rows, or plan: the lines of the captures that are kept, each at its own place"},
			&cli.StringSliceFlag{Name: "columns", Usage: "`'NAME = EXPR'`,… of csv, parquet and tsv (default: fields of the capture, values that are asked for)"},
			&cli.StringFlag{Name: "each", Usage: "`PATH` of a list: a row for each of its elements, which columns know as each, each.url and so on"},
			&cli.StringFlag{Name: "check", Usage: "derive nothing: check the `options` alone, or programs too: whether those of --enrich-with are found"},
			&cli.StringFlag{Name: "verify", Value: "url", Usage: "`WHAT` each record is held against its line by: url (and the date), or digest: also the payload's digest"},
			&cli.BoolFlag{Name: "raw-csv", Usage: "texts of CSV as they are (default: an apostrophe before those that a spreadsheet would take for a formula)"},
			&cli.BoolFlag{Name: "pretty", Usage: "JSON indented, for reading"},
			&cli.IntFlag{Name: "max-payload", Value: 64e6, Usage: "`BYTES` of a record or payload that are looked at; of a larger one its begin is"},
			&cli.IntFlag{Name: "timeout", Value: 60, Usage: "`SECONDS` for an answer of a program of --enrich-with, and for the text of a PDF document"},
			&cli.BoolFlag{Name: "read-pdfs", Usage: "answer with the texts of PDF documents only: lines in with Base64 as a JSON string, lines out with an object of text and error"},
			&cli.IntFlag{Name: "workers", Value: runtime.GOMAXPROCS(0), DefaultText: "all cores", Usage: "`N` goroutines derive values"},
		},
		Run: runEnrichCaptures,
	}
}

func runEnrichCaptures(t *stage.Task) error {
	if t.Bool("read-pdfs") {
		return pdftext.Serve(os.Stdin, os.Stdout)
	}
	var archives *extract.Archives
	switch t.String("check") {
	case "":
		var err error
		if archives, err = extract.OpenPlan(t.String("archives"), t.String("path-index")); err != nil {
			return err
		}
		defer archives.Close()
	case "options", "programs":
	default:
		return stage.Usage("--check %q: expected options or programs", t.String("check"))
	}
	return Captures(t, archives, MapperOptions{
		Options: Options{
			Enrich:     t.StringSlice("enrich"),
			MapEnrich:  t.StringSlice("map-enrich"),
			EnrichWith: t.StringSlice("enrich-with"),
			Keep:       t.StringSlice("keep"),
			Columns:    t.StringSlice("columns"),
			Each:       t.String("each"),
		},
		Save:    t.String("save"),
		Verify:  t.String("verify"),
		Check:   t.String("check"),
		Pretty:  t.Bool("pretty"),
		RawCSV:  t.Bool("raw-csv"),
		Workers: t.Int("workers"),
		Limit:   t.Int("max-payload"),
		Timeout: time.Duration(t.Int("timeout")) * time.Second,
	})
}
