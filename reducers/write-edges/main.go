// Command write-edges writes the edges of a graph and makes records of its vertices.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.WriteEdgesCommand()) }
