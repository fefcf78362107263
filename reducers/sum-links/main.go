// Command sum-links adds up equal edges and vertices.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.SumLinksCommand()) }
