// Command sample-keys emits the keys of a sample of index lines.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(index.SampleKeysCommand()) }
