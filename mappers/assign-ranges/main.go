// Command assign-ranges sends index lines to the reducers of their ranges.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(index.AssignRangesCommand()) }
