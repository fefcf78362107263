// Command spread-labels makes labels of the edges that the last round of finding components has left.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.SpreadLabelsCommand()) }
