// Command write-tables writes each table of its sorted input into a file of its
// own.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(extract.WriteTablesCommand()) }
