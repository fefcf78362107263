// Command write-index writes sorted index lines: as text, as ZipNum shard and as
// part of a Parquet table.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(index.WriteIndexCommand()) }
