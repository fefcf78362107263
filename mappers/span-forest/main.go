// Command span-forest replaces the edges of a graph by stars for one round of
// finding components.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "span-forest",
	Summary:     "replace edges by stars for a round of finding components",
	Description: "Links each vertex to the greatest that the edges read so far connect it to, and begins anew when --vertices are held.",
	Input:       "Edges, ID TAB ID; with --keys as link-stars makes them.",
	Output:      "KEY TAB NEIGHBOUR, to be sorted by the key and then with the greatest neighbour first.",
	Example:     "span-forest < edges.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | link-stars --star large",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "star", Value: string(graph.Large), Usage: "`STAR` that link-stars is to make: large or small"},
		&cli.BoolFlag{Name: "keys", Usage: "the edges are those of a round"},
		&cli.IntFlag{Name: "vertices", Value: 1 << 20, Usage: "hold up to `N` vertices at once"},
	},
	Run: func(t *stage.Task) error {
		star, err := graph.ParseStar(t.String("star"))
		if err != nil {
			return err
		}
		return graph.SpanForest(t, graph.SpanOptions{Star: star, Keys: t.Bool("keys"), Vertices: t.Int("vertices")})
	},
}
