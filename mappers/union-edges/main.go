// Command union-edges finds the connected components of a graph in one task.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.UnionEdgesCommand()) }
