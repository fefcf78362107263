// Command list-documents writes each document once.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.ListDocumentsCommand()) }
