// Command number-vertices numbers vertices in the order of their names.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "number-vertices",
	Summary: "number vertices in the order of their names",
	Input:   "Lines of list-vertices, sorted; all of them in one task.",
	Output:  "VERTEX TAB 0 TAB ID TAB HOSTS, and the side file vertices/part-00000.txt.gz.",
	Example: "list-vertices < sums | LC_ALL=C sort | number-vertices --output graph > numbers",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "level", Value: "host", Usage: "`LEVEL` of the graph: host or domain"},
	},
	Run: func(t *stage.Task) error {
		level, err := webgraph.ParseLevel(t.String("level"))
		if err != nil {
			return err
		}
		return webgraph.NumberVertices(t, level)
	},
}
