package summary

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// MergeSummariesCommand is the stage merge-summaries.
func MergeSummariesCommand() stage.Command {
	return stage.Command{
		Name:        "merge-summaries",
		Summary:     "add partial summaries up, and count URLs and hosts",
		Description: "Where the runs of a host overlap the number of its URLs is too large; the counter \"overlapping runs\" tells of how many hosts.",
		Input:       "Lines of summarize-captures, sorted by three fields.",
		Output:      "A partial summary without hosts, but for those with most captures. Key: three fields.",
		Example:     "summarize-captures < index.cdxj | LC_ALL=C sort | merge-summaries | LC_ALL=C sort | write-summary --output summary",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "top-hosts", Value: 10, Usage: "keep the `N` hosts with most captures"},
		},
		Run: func(t *stage.Task) error { return Merge(t, t.Int("top-hosts")) },
	}
}

// SummarizeCapturesCommand is the stage summarize-captures.
func SummarizeCapturesCommand() stage.Command {
	return stage.Command{
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
				return EachURL(t)
			}
			return Captures(t, t.Int("samples"))
		},
	}
}

// WriteSummaryCommand is the stage write-summary.
func WriteSummaryCommand() stage.Command {
	return stage.Command{
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
			return Write(t, t.String("title"), t.Int("samples"), t.Int("top-hosts"))
		},
	}
}
