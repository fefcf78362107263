// Command count-sizes counts the vertices of each component.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "count-sizes",
	Summary: "count the vertices of each component",
	Input:   "Labels of vertices, sorted.",
	Output:  "Side file _sizes/part-NNNNN.tsv: SIZE TAB NUMBER of components.",
	Example: "cut -f2 components.tsv | LC_ALL=C sort | count-sizes --output sizes",
	Run:     graph.CountSizes,
}
