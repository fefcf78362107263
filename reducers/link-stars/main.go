// Command link-stars links vertices to the greatest of their neighbours: one
// round of finding components.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "link-stars",
	Summary:     "link vertices to the greatest of their neighbours",
	Description: "The counter unfinished of a large star is 0 when every edge leads to the greatest vertex of its component.",
	Input:       "Lines of span-forest, sorted by the key and then with the greatest neighbour first.",
	Output:      "KEY TAB KEY: the edges that are left, the greater vertex last.",
	Example:     "span-forest < edges.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | link-stars --star large",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "star", Value: string(graph.Large), Usage: "`STAR` to make: large or small"},
	},
	Run: func(t *stage.Task) error {
		star, err := graph.ParseStar(t.String("star"))
		if err != nil {
			return err
		}
		return graph.LinkStars(t, star)
	},
}
