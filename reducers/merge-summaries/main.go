// Command merge-summaries adds partial summaries of captures up.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/summary"
)

func main() { stage.Main(summary.MergeSummariesCommand()) }
