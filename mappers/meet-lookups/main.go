// Command meet-lookups brings lookups together with the index that tells which are
// present.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "meet-lookups",
	Summary:     "bring lookups together with the index that tells which are present",
	Description: "A line that is neither a lookup nor of the index is rejected.",
	Input:       "Lines of key-lookups; index lines (CDX, CDXJ), or with --by key a map in UKVS without wildcards.",
	Output:      "SURT TAB l of a lookup, SURT TAB t TAB URIS of the index.",
	Example:     "key-lookups < uris.txt | cat - index.cdxj | meet-lookups | LC_ALL=C sort | tell-lookups > lookups.tsv",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "by", Value: "uri", Usage: "`WHAT` is compared: uri (with its query), or key (without)"},
		&cli.StringFlag{Name: "where", Usage: "`EXPR` that is true for the captures that are held (default: all are)"},
	},
	Run: func(t *stage.Task) error {
		by := t.String("by")
		if by != "uri" && by != "key" {
			return stage.Usage("--by %s: uri or key is wanted", by)
		}
		return mapeval.Truth(t, mapeval.TruthOptions{ByKey: by == "key", Where: t.String("where")})
	},
}
