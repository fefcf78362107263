// Command list-checksums lists the SHA-256 checksums and sizes of files, and copies
// those that are to be copied.
package main

import (
	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "list-checksums",
	Summary: "list SHA-256 checksums and sizes of files, and copy them",
	Input:   "Paths or URIs of files; behind a tab, the name that is to be listed; behind another one, the word copy, for a side file of that name.",
	Output:  "NAME TAB SHA-256 TAB SIZE; copies of files as side files.",
	Example: "ls warcs/*.warc.gz | list-checksums > checksums.tsv",
	Run:     derive.Checksums,
}
