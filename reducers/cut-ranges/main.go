// Command cut-ranges cuts sorted keys into ranges of about equal size.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "cut-ranges",
	Summary:     "cut sorted keys into ranges of about equal size",
	Description: "Holds the keys in memory: 1,000 for each range are enough.",
	Input:       "Sorted keys of sample-keys.",
	Output:      "The key that each range begins with, the first left out. Fewer where there are not as many different keys.",
	Example:     "sample-keys --ranges 8 < index.cdxj | LC_ALL=C sort | cut-ranges --ranges 8 > ranges.txt",
	Flags: []cli.Flag{
		&cli.IntFlag{Name: "ranges", Value: 1, Usage: "cut into up to `N` ranges"},
	},
	Run: func(t *stage.Task) error { return index.CutRanges(t, t.Int("ranges")) },
}
