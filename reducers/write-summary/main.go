// Command write-summary writes a summary of captures as JSON and as a page.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/summary"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "write-summary",
	Summary: "write a summary of captures as JSON and as an HTML page",
	Input:   "Lines of merge-summaries, sorted by three fields.",
	Output:  "Side files summary.json and summary.html.",
	Example: "summarize-captures < index.cdxj | LC_ALL=C sort | merge-summaries | LC_ALL=C sort | write-summary --output summary",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "title", Value: "Summary of captures", Usage: "`TEXT` at the head of the page"},
		&cli.IntFlag{Name: "samples", Value: 10, Usage: "keep `N` samples"},
		&cli.IntFlag{Name: "top-hosts", Value: 10, Usage: "keep the `N` hosts with most captures"},
	},
	Run: func(t *stage.Task) error {
		return summary.Write(t, t.String("title"), t.Int("samples"), t.Int("top-hosts"))
	},
}
