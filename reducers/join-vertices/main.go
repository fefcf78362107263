// Command join-vertices puts ids of vertices into the place of their names.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.JoinVerticesCommand()) }
