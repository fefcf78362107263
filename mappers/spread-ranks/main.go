// Command spread-ranks tells vertices what those that link to them have.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.SpreadRanksCommand()) }
