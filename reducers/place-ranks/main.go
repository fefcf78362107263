// Command place-ranks gives vertices their positions by rank.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.PlaceRanksCommand()) }
