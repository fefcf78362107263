// Command compact-mementomap makes a profile of an archive's holdings smaller.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.CompactMementomapCommand()) }
