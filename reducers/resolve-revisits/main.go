// Command resolve-revisits gives revisits the place of the record that has their
// payload.
package main

import (
	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(selection.ResolveRevisitsCommand()) }
