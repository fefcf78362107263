// Command check-labels checks that both ends of each edge have the same label.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "check-labels",
	Summary: "check that both ends of each edge have the same label",
	Input:   "Lines of pass-labels, sorted by two fields.",
	Output:  "ID TAB LABEL in the order of ids. A label that differs is a failure.",
	Example: "cat edges.tsv labels.tsv | meet-labels | LC_ALL=C sort | pass-labels | LC_ALL=C sort | check-labels",
	Run:     graph.CheckLabels,
}
