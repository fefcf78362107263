// Command profile-keys counts the keys of captures below each prefix.
package main

import (
	"archivestream/lib/profile"
	"archivestream/lib/stage"
)

func main() { stage.Main(profile.ProfileKeysCommand()) }
