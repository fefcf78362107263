// Command weigh-documents makes the documents table that covers are found with.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.WeighDocumentsCommand()) }
