// Command count-versions counts how many documents each URL has.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "count-versions",
	Summary: "count the documents of each URL",
	Input:   "URLs of documents, sorted.",
	Output:  "Counters: urls, versions, and squares of the versions of each URL.",
	Example: "cut -f4 documents.tsv | LC_ALL=C sort | count-versions",
	Run:     cover.CountVersions,
}
