// Command parse-captures turns lists of captures into lines of an extraction
// plan, which sort by archive file and offset.
package main

import (
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

func main() { stage.Main(extract.ParseCapturesCommand()) }
