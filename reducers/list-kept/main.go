// Command list-kept lists where the captures of a cover lie.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "list-kept",
	Summary: "list where the captures of a cover lie",
	Input:   "Lines of meet-kept, sorted.",
	Output:  "URL TAB FILENAME TAB OFFSET TAB LENGTH, a list of captures for parse-captures.",
	Example: "cat documents.tsv cover/* | meet-kept | LC_ALL=C sort | list-kept > captures.tsv",
	Run:     cover.ListKept,
}
