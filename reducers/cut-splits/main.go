// Command cut-splits cuts a sorted extraction plan into files, one for each map
// task of the extraction.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(extract.CutSplitsCommand()) }
