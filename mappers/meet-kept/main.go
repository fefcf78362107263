// Command meet-kept brings documents and the ids of a cover together.
package main

import (
	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "meet-kept",
	Summary: "bring documents and the ids of a cover together",
	Input:   "A documents table and ids, one a line.",
	Output:  "ID TAB 0 and ID TAB 1 TAB URL TAB FILENAME TAB OFFSET TAB LENGTH.",
	Example: "cat documents.tsv cover/* | meet-kept | LC_ALL=C sort | list-kept > captures.tsv",
	Run:     cover.MeetKept,
}
