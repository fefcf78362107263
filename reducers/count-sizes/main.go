// Command count-sizes counts the vertices of each component.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.CountSizesCommand()) }
