// Command write-mementomap writes a profile of an archive with its headers.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.WriteMementomapCommand()) }
