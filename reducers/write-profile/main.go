// Command write-profile writes the profile of a collection as JSON and as a page.
package main

import (
	"archivestream/lib/profile"
	"archivestream/lib/stage"
)

func main() { stage.Main(profile.WriteProfileCommand()) }
