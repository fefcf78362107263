// Command find-originals puts revisits beside the captures that may have their
// payload.
package main

import (
	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(selection.FindOriginalsCommand()) }
