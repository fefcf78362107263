// Command count-versions counts how many documents each URL has.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.CountVersionsCommand()) }
