// Command join-components gives documents and edges to their components.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.JoinComponentsCommand()) }
