// Command spread-labels makes labels of the edges that the last round of finding components has left.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "spread-labels",
	Summary: "make labels of the edges of the last round",
	Input:   "KEY TAB KEY, as link-stars and key-vertices make them.",
	Output:  "KEY TAB LABEL, to be sorted by the key and then with the greatest label first.",
	Example: "spread-labels < round.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | keep-labels",
	Run:     graph.SpreadLabels,
}
