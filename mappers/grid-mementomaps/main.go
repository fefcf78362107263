// Command grid-mementomaps compacts a map with all pairs of some weights at once.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(mapeval.GridMementomapsCommand()) }
