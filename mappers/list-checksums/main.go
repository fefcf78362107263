// Command list-checksums lists the SHA-256 checksums and sizes of files, and copies
// those that are to be copied.
package main

import (
	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(derive.ListChecksumsCommand()) }
