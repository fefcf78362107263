// Command count-captures makes the keys of an archive's profile from captures.
package main

import (
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(mementomap.CountCapturesCommand()) }
