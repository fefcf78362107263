// Command add-counts adds up the captures and URIs of the keys of a profile.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.AddCountsCommand()) }
