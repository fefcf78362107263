// Command lookup-cdx finds the index lines of URLs in ZipNum clusters and sorted
// CDXJ or CDX files.
package main

import (
	"archivestream/lib/stage"
	"archivestream/lib/zipnum"
)

func main() { stage.Main(zipnum.LookupCDXCommand()) }
