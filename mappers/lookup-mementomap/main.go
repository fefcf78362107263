// Command lookup-mementomap tells which URIs an archive holds, by its profile.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.LookupMementomapCommand()) }
