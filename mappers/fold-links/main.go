// Command fold-links makes edges and vertices of link lines.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.FoldLinksCommand()) }
