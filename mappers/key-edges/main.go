// Command key-edges sends vertices and edges to the part of the graph where they belong.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "key-edges",
	Summary: "send vertices and edges to the part of the graph where they belong",
	Input:   "Lines of number-vertices, and of join-vertices with ids on both sides.",
	Output:  "WORD TAB FROM TAB TO TAB N for each edge, WORD TAB ID TAB TAB VERTEX TAB HOSTS for each vertex. Key: three fields.",
	Example: "cat edges numbers | key-edges --vertices 1000 | LC_ALL=C sort | write-edges --output graph",
	Flags: []cli.Flag{
		&cli.Int64Flag{Name: "vertices", Usage: "`N` vertices of the graph"},
		&cli.IntFlag{Name: "parts", Value: 1, Usage: "`N` parts, each of one reducer"},
	},
	Run: func(t *stage.Task) error { return webgraph.KeyEdges(t, t.Int64("vertices"), t.Int("parts")) },
}
