// Command list-shingles writes a line for each shingle of each document.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.ListShinglesCommand()) }
