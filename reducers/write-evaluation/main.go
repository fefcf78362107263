// Command write-evaluation writes the evaluation of maps as JSON and as a page.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(mapeval.WriteEvaluationCommand()) }
