// Command evaluate-mementomaps tells how many lookups maps answer rightly.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(mapeval.EvaluateMementomapsCommand()) }
