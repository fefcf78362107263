// Command meet-labels brings edges and the labels of their vertices together.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "meet-labels",
	Summary: "bring edges and labels together",
	Input:   "Edges, ID TAB ID, and lines of keep-labels.",
	Output:  "KEY TAB 0 TAB LABEL and KEY TAB 1 TAB NEIGHBOUR.",
	Example: "cat edges.tsv labels.tsv | meet-labels | LC_ALL=C sort | pass-labels | LC_ALL=C sort | check-labels",
	Run:     graph.MeetLabels,
}
