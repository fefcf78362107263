// Command plan-join says which blocks of sets have to be compared.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.PlanJoinCommand()) }
