// Command key-edges sends vertices and edges to the part of the graph where they belong.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.KeyEdgesCommand()) }
