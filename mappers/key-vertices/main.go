// Command key-vertices makes edges to themselves of vertices, for finding components.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.KeyVerticesCommand()) }
