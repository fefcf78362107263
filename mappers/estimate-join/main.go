// Command estimate-join says about how many edges a join will find, and how long it
// will take.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.EstimateJoinCommand()) }
