// Command number-blocks puts the index lines of ZipNum shards together.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(index.NumberBlocksCommand()) }
