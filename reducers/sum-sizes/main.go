// Command sum-sizes adds the sizes of components up into stats.json.
package main

import (
	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(graph.SumSizesCommand()) }
