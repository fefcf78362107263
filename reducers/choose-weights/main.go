// Command choose-weights finds the weights with which a profile becomes as small as
// wished.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.ChooseWeightsCommand()) }
