// Command write-summary writes a summary of captures as JSON and as a page.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/summary"
)

func main() { stage.Main(summary.WriteSummaryCommand()) }
