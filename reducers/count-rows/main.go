// Command count-rows writes each row once, with the number of equal rows.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/enrich"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
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
		return enrich.CountRows(t, enrich.CountOptions{
			Options: enrich.Options{Columns: t.StringSlice("columns"), MapEnrich: t.StringSlice("map-enrich"), EnrichWith: t.StringSlice("enrich-with")},
			Save:    t.String("save"), Count: t.String("count"), RawCSV: t.Bool("raw-csv"),
		})
	},
}
