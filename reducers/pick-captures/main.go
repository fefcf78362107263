// Command pick-captures takes one capture of each group.
package main

import (
	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(selection.PickCapturesCommand()) }
