// Command meet-lookups brings lookups together with the index that tells which are
// present.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(mapeval.MeetLookupsCommand()) }
