// Command cut-ranges cuts sorted keys into ranges of about equal size.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(index.CutRangesCommand()) }
