// Command count-pairs counts how many shingles two documents have in common.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.CountPairsCommand()) }
