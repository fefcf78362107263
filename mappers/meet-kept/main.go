// Command meet-kept brings documents and the ids of a cover together.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.MeetKeptCommand()) }
