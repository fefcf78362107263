// Command index-archives turns ARC and WARC files into index lines.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(index.IndexArchivesCommand()) }
