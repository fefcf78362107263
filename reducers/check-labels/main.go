// Command check-labels checks that both ends of each edge have the same label.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.CheckLabelsCommand()) }
