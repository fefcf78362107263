// Command key-captures gives captures keys in the order of the tree of addresses.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/profile"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "key-captures",
	Summary:     "give captures keys in the order of the tree of addresses",
	Description: "Captures of one key and year that follow each other are one line. A line that is no capture is rejected.",
	Input:       "Index lines: CDX or CDXJ.",
	Output:      "key TAB GROUP TAB REST TAB YEAR URIMS 2XX 3XX 4XX 5XX, and totals. Key: three fields, of which two decide the reducer.",
	Example:     "key-captures < index.cdxj | LC_ALL=C sort | profile-keys | LC_ALL=C sort | write-profile --output profile",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "where", Usage: "`EXPR` that is true for the captures that count, as in status == 200 && mime == \"text/html\" (default: all do)"},
	},
	Run: func(t *stage.Task) error { return profile.Captures(t, t.String("where")) },
}
