// Command keep-labels keeps the greatest label of each vertex.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "keep-labels",
	Summary: "keep the greatest label of each vertex",
	Input:   "Lines of spread-labels, sorted by the key and then with the greatest label first.",
	Output:  "KEY TAB TAB LABEL.",
	Example: "spread-labels < round.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | keep-labels",
	Run:     graph.KeepLabels,
}
