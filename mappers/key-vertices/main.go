// Command key-vertices makes edges to themselves of vertices, for finding components.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "key-vertices",
	Summary: "make edges to themselves of vertices",
	Input:   "Lines whose first field is a vertex's id.",
	Output:  "KEY TAB KEY.",
	Example: "key-vertices < vertices.tsv > loops.tsv",
	Run:     graph.KeyVertices,
}
