// Command list-kept lists where the captures of a cover lie.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.ListKeptCommand()) }
