// Command key-sources keys edges by the vertices that they come from.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.KeySourcesCommand()) }
