// Command meet-documents brings documents, the labels of their components and edges together.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.MeetDocumentsCommand()) }
