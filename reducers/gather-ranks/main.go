// Command gather-ranks computes the ranks of vertices after one more iteration.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.GatherRanksCommand()) }
