// Command join-sets finds the pairs of documents of which one covers the other.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.JoinSetsCommand()) }
