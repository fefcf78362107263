// Command order-sets brings the shingles of sets into the global order.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.OrderSetsCommand()) }
