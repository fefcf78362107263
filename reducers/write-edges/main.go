// Command write-edges writes the edges of a graph and makes records of its vertices.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "write-edges",
	Summary: "write the edges of a graph and make records of its vertices",
	Input:   "Lines of key-edges, sorted by three fields.",
	Output:  "A record of each vertex (package webgraph), and the side file edges/part-NNNNN.txt.gz.",
	Example: "cat edges numbers | key-edges --vertices 1000 | LC_ALL=C sort | write-edges --output graph > records",
	Flags: []cli.Flag{
		&cli.BoolFlag{Name: "weights", Usage: "write the number of links behind each edge"},
	},
	Run: func(t *stage.Task) error { return webgraph.WriteEdges(t, t.Bool("weights")) },
}
