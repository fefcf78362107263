// Command link-stars links vertices to the greatest of their neighbours: one
// round of finding components.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.LinkStarsCommand()) }
