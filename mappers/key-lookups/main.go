// Command key-lookups gives URIs that are looked up in maps their keys.
package main

import (
	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "key-lookups",
	Summary: "give URIs that are looked up in maps their keys",
	Input:   "URIs, one a line.",
	Output:  "lookup TAB SURT.",
	Example: "key-lookups < uris.txt | cat - index.cdxj | meet-lookups | LC_ALL=C sort | tell-lookups > lookups.tsv",
	Run:     mapeval.KeyLookups,
}
