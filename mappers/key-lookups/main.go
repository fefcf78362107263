// Command key-lookups gives URIs that are looked up in maps their keys.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(mapeval.KeyLookupsCommand()) }
