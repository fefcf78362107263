// Command key-sources keys edges by the vertices that they come from.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "key-sources",
	Summary: "key edges by the vertices that they come from",
	Input:   "Lines of sum-links and of number-vertices.",
	Output:  "FROM TAB 1 TAB TO TAB N for each edge, and the lines of number-vertices. Key: two fields.",
	Example: "cat sums numbers | key-sources | LC_ALL=C sort | join-vertices",
	Run:     webgraph.KeySources,
}
