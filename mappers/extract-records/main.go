// Command extract-records copies the records of an extraction plan out of their
// archive files into new ones.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(extract.ExtractRecordsCommand()) }
