// Command list-edges writes each edge once.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "list-edges",
	Summary:     "write each edge once",
	Description: "Where there are several between two documents the most similar one counts.",
	Input:       "covered TAB covering TAB similarity, sorted by the whole line.",
	Output:      "The same lines, each edge once.",
	Example:     "LC_ALL=C sort edges-1 edges-2 | list-edges > edges",
	Run:         simjoin.ListEdges,
}
