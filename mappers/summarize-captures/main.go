// Command summarize-captures counts what capture lines are of.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/summary"
)

func main() { stage.Main(summary.SummarizeCapturesCommand()) }
