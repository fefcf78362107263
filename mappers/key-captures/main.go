// Command key-captures gives captures keys in the order of the tree of addresses.
package main

import (
	"archivestream/lib/profile"
	"archivestream/lib/stage"
)

func main() { stage.Main(profile.KeyCapturesCommand()) }
