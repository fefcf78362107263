// Command list-vertices lists the vertices of a graph.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.ListVerticesCommand()) }
