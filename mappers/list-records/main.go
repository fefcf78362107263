// Command list-records lists the records of archive files with their places, past
// whatever is damaged in them.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "list-records",
	Summary:     "list the records of ARC and WARC files",
	Description: "Reads every record and verifies its gzip member. What is damaged is rejected with its offset; the rest is listed. Of several records in one gzip member the first is listed.",
	Input:       "Paths or URIs of archive files.",
	Output:      "URL TAB ARCHIVE TAB OFFSET TAB LENGTH: a list of captures as parse-captures and jobs/extract.sh read it.",
	Example:     "ls warcs/*.warc.gz | list-records > captures.tsv",
	Flags: []cli.Flag{
		&cli.BoolFlag{Name: "strict", Usage: "fail at the end if anything was damaged"},
	},
	Run: func(t *stage.Task) error { return extract.ListRecords(t, t.Bool("strict")) },
}
