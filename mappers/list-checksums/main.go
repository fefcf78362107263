// Command list-checksums lists the SHA-256 checksums and sizes of files.
package main

import (
	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "list-checksums",
	Summary: "list SHA-256 checksums and sizes of files",
	Input:   "Paths or URIs of files; behind a tab, the name that is to be listed.",
	Output:  "NAME TAB SHA-256 TAB SIZE.",
	Example: "ls warcs/*.warc.gz | list-checksums > checksums.tsv",
	Run:     derive.Checksums,
}
