// Command order-ranks keys vertices so that they sort by rank.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.OrderRanksCommand()) }
