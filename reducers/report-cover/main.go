// Command report-cover writes stats.json and report.html of a cover.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.ReportCoverCommand()) }
