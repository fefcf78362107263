// Command list-links lists the links between hosts that WAT files and archive files
// hold.
package main

import (
	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "list-links",
	Summary:     "list the links between hosts in WAT, ARC and WARC files",
	Description: "The rel attributes of areas are not in the WAT files of other programs: their nofollow is not seen there.",
	Input:       "Paths or URIs of WAT or archive files.",
	Output:      "Link lines (package webgraph): FROM TAB TO TAB KIND TAB N, host names reversed.",
	Example:     "ls wat/*.wat.gz | list-links | fold-links | LC_ALL=C sort | sum-links",
	Run:         derive.ListLinks,
}
