// Command meet-labels brings edges and the labels of their vertices together.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.MeetLabelsCommand()) }
