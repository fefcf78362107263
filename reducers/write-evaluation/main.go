// Command write-evaluation writes the evaluation of maps as JSON and as a page.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "write-evaluation",
	Summary: "write the evaluation of maps as JSON and as an HTML page",
	Input:   "Lines of evaluate-mementomaps, sorted by three fields.",
	Output:  "Side files evaluation.json and evaluation.html.",
	Example: "printf '1\\tmementomap.ukvs\\n' | evaluate-mementomaps --lookups lookups.tsv | write-evaluation --uris 1000 --output evaluation",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "title", Value: "Evaluation of maps", Usage: "`TEXT` at the head of the page"},
		&cli.Int64Flag{Name: "uris", Usage: "the archive has `N` different URI-Rs"},
	},
	Run: func(t *stage.Task) error { return mapeval.Write(t, t.String("title"), t.Int64("uris")) },
}
