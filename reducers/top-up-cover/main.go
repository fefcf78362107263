// Command top-up-cover adds documents to a cover until each group has its minimum.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.TopUpCoverCommand()) }
