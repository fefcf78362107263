// Command pass-labels passes labels on over edges.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "pass-labels",
	Summary: "pass the label of each vertex on over its edges",
	Input:   "Lines of meet-labels, sorted by two fields.",
	Output:  "KEY TAB 0 TAB LABEL and NEIGHBOUR TAB 1 TAB LABEL.",
	Example: "cat edges.tsv labels.tsv | meet-labels | LC_ALL=C sort | pass-labels | LC_ALL=C sort | check-labels",
	Run:     graph.PassLabels,
}
