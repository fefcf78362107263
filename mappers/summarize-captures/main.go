// Command summarize-captures counts what capture lines are of.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/summary"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "summarize-captures",
	Summary:     "count captures by type, status, time, address and host",
	Description: "A line that is no capture, or has no timestamp, is rejected. Of sorted lines there is one line of output for each host, and a few hundred others.",
	Input:       "Index lines: CDX or CDXJ.",
	Output:      "A partial summary: TABLE TAB ROW TAB COLUMN TAB NUMBERS. Key: three fields, of which two decide the reducer.",
	Example:     "summarize-captures < index.cdxj | LC_ALL=C sort | merge-summaries | LC_ALL=C sort | write-summary --output summary",
	Flags: []cli.Flag{
		&cli.IntFlag{Name: "samples", Value: 10, Usage: "pick `N` captures as samples"},
		&cli.BoolFlag{Name: "each-url", Usage: "emit nothing but a line for each URL, from which their number is known whatever the order of the input"},
	},
	Run: func(t *stage.Task) error {
		if t.Int("samples") < 0 {
			return stage.Usage("--samples: a number from 0 is wanted")
		}
		if t.Bool("each-url") {
			return summary.EachURL(t)
		}
		return summary.Captures(t, t.Int("samples"))
	},
}
