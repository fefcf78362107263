// Command list-vertices lists the vertices of a graph.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "list-vertices",
	Summary: "list the vertices of a graph with their hosts",
	Input:   "Lines of sum-links.",
	Output:  "VERTEX TAB HOST. Key: two fields.",
	Example: "list-vertices < sums | LC_ALL=C sort | number-vertices --output graph",
	Run:     webgraph.ListVertices,
}
