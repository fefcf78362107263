// Command meet-documents brings documents, the labels of their components and edges together.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "meet-documents",
	Summary: "bring documents, labels and edges together",
	Input:   "A documents table, ID TAB LABEL, and edges (covered TAB covering TAB similarity).",
	Output:  "KEY TAB KIND TAB ...",
	Example: "cat documents.tsv labels.tsv edges.tsv | meet-documents | LC_ALL=C sort | join-components | LC_ALL=C sort | solve-components",
	Run:     cover.MeetDocuments,
}
