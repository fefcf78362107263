// Command tell-lookups tells which lookups are present in an index.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "tell-lookups",
	Summary: "tell which lookups are present in an index",
	Input:   "Lines of meet-lookups, sorted.",
	Output:  "SURT TAB NUMBER OF LOOKUPS TAB 1 if it is present, 0 if not.",
	Example: "key-lookups < uris.txt | cat - index.cdxj | meet-lookups | LC_ALL=C sort | tell-lookups > lookups.tsv",
	Run:     mapeval.Meet,
}
