// Command list-links lists the links between hosts that WAT files and archive files
// hold.
package main

import (
	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(derive.ListLinksCommand()) }
