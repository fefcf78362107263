// Command pass-labels passes labels on over edges.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.PassLabelsCommand()) }
