// Command pair-documents writes all pairs of documents that have a shingle in common.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.PairDocumentsCommand()) }
