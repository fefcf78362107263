// Command group-sets makes blocks of sets, one record for all documents with the same.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.GroupSetsCommand()) }
