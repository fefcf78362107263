// Command join-components gives documents and edges to their components.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "join-components",
	Summary: "give documents and edges to their components",
	Input:   "Lines of meet-documents, sorted.",
	Output:  "LABEL TAB KIND TAB ..., the lines of components.",
	Example: "cat documents.tsv labels.tsv edges.tsv | meet-documents | LC_ALL=C sort | join-components | LC_ALL=C sort | solve-components",
	Run:     cover.JoinComponents,
}
