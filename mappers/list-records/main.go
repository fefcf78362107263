// Command list-records lists the records of archive files with their places, past
// whatever is damaged in them.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(extract.ListRecordsCommand()) }
