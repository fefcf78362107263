// Command canonicalize-urls gives URLs the keys that indexes are sorted by.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/surt"
)

func main() { stage.Main(surt.CanonicalizeURLsCommand()) }
