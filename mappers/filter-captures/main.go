// Command filter-captures takes the index lines for which an expression is true.
package main

import (
	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(selection.FilterCapturesCommand()) }
