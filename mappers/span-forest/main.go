// Command span-forest replaces the edges of a graph by stars for one round of
// finding components.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.SpanForestCommand()) }
