// Command number-vertices numbers vertices in the order of their names.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(webgraph.NumberVerticesCommand()) }
