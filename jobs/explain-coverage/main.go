// Command explain-coverage says how a coverage expression will be evaluated.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(simjoin.ExplainCoverageCommand()) }
