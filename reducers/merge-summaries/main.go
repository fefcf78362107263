// Command merge-summaries adds partial summaries of captures up.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/summary"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "merge-summaries",
	Summary:     "add partial summaries up, and count URLs and hosts",
	Description: "Where the runs of a host overlap the number of its URLs is too large; the counter \"overlapping runs\" tells of how many hosts.",
	Input:       "Lines of summarize-captures, sorted by three fields.",
	Output:      "A partial summary without hosts, but for those with most captures. Key: three fields.",
	Example:     "summarize-captures < index.cdxj | LC_ALL=C sort | merge-summaries | LC_ALL=C sort | write-summary --output summary",
	Flags: []cli.Flag{
		&cli.IntFlag{Name: "top-hosts", Value: 10, Usage: "keep the `N` hosts with most captures"},
	},
	Run: func(t *stage.Task) error { return summary.Merge(t, t.Int("top-hosts")) },
}
