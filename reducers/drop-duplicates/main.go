// Command drop-duplicates keeps the first of the captures in an extraction plan
// that name the same record.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(extract.DropDuplicatesCommand()) }
