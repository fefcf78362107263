// Command list-edges writes each edge once.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.ListEdgesCommand()) }
