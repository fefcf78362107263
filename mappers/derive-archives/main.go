// Command derive-archives makes WAT, WET, META, CDXJ and link lines of archive files,
// each of which it reads once.
package main

import (
	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(derive.DeriveArchivesCommand()) }
