// Command solve-components finds a smallest cover of each component.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(cover.SolveComponentsCommand()) }
