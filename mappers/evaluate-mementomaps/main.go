// Command evaluate-mementomaps tells how many lookups maps answer rightly.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "evaluate-mementomaps",
	Summary: "tell how many lookups maps answer rightly",
	Input:   "NUMBER TAB PATH of a map.",
	Output:  "map TAB NUMBER TAB NAME TAB LINES BYTES LOOKUPS PRESENT PREDICTED FOUND. Key: three fields.",
	Example: "printf '1\\tmementomap.ukvs\\n' | evaluate-mementomaps --lookups lookups.tsv | write-evaluation --uris 1000 --output evaluation",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "lookups", Usage: "`PATH` of lines of tell-lookups: a file, a folder, a glob or a URI"},
	},
	Run: func(t *stage.Task) error {
		if t.String("lookups") == "" {
			return stage.Usage("--lookups is missing")
		}
		return mapeval.Evaluate(t, t.String("lookups"))
	},
}
