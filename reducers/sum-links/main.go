// Command sum-links adds up equal edges and vertices.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "sum-links",
	Summary: "add up equal edges and vertices",
	Input:   "Lines of fold-links, sorted by three fields.",
	Output:  "Each edge and each host of a vertex once, with the sum of their numbers.",
	Example: "fold-links < links | LC_ALL=C sort | sum-links",
	Run:     webgraph.SumLinks,
}
