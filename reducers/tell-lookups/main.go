// Command tell-lookups tells which lookups are present in an index.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(mapeval.TellLookupsCommand()) }
