// Command shingle-documents makes sets of shingles of documents.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.ShingleDocumentsCommand()) }
