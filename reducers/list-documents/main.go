// Command list-documents writes each document once.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "list-documents",
	Summary:     "write each document once",
	Description: "A document whose id is there already is rejected.",
	Input:       "id TAB JSON, sorted by the id.",
	Output:      "The same lines, each id once.",
	Example:     "LC_ALL=C sort documents-1 documents-2 | list-documents > documents",
	Run:         simjoin.ListDocuments,
}
