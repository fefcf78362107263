// Command write-tables writes each table of its sorted input into a file of its
// own.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "write-tables",
	Summary: "write sorted tables into files",
	Input:   "TABLE TAB KEY TAB LINE, sorted by two fields; where LINE is empty, KEY is the line.",
	Output:  "Side files named by TABLE that hold the lines.",
	Example: "extract-records --archives warcs < plan | LC_ALL=C sort | write-tables --output tables",
	Run:     extract.WriteTables,
}
