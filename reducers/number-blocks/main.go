// Command number-blocks puts the index lines of ZipNum shards together.
package main

import (
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "number-blocks",
	Summary: "make cluster.idx and cluster.loc of the index lines of all shards",
	Input:   "Index lines of ZipNum shards, one shard's behind the other's, sorted.",
	Output:  "Side files cluster.idx, with block numbers that run through all shards, and cluster.loc.",
	Example: "cat _cluster/part-*.idx | number-blocks --output zipnum",
	Run:     index.NumberBlocks,
}
