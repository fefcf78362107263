// Command keep-labels keeps the greatest label of each vertex.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.KeepLabelsCommand()) }
