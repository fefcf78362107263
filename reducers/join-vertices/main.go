// Command join-vertices puts ids of vertices into the place of their names.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "join-vertices",
	Summary: "put ids of vertices into the place of their names",
	Input:   "VERTEX TAB 0 TAB ID TAB HOSTS and, behind it, VERTEX TAB 1 TAB X TAB N; sorted by two fields.",
	Output:  "X TAB 1 TAB ID TAB N.",
	Example: "cat sums numbers | key-sources | LC_ALL=C sort | join-vertices | cat - numbers | LC_ALL=C sort | join-vertices",
	Run:     webgraph.JoinVertices,
}
