// Command measure-mementomap tells how many lines a profile has when it is compacted,
// for many weights at once.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.MeasureMementomapCommand()) }
