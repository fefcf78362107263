// Command union-edges finds the connected components of a graph in one task.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "union-edges",
	Summary:     "find the connected components of a graph in one task",
	Description: "Holds the vertices in memory, some 80 bytes for each, and the ids that are no numbers of up to 18 digits; edges take none.",
	Input:       "Edges, ID TAB ID; with --files names of files of them.",
	Output:      "ID TAB LABEL in the order of ids, the label being the greatest id of the component. Side file _sizes/part-NNNNN.tsv: SIZE TAB NUMBER of components.",
	Example:     "union-edges < edges.tsv > components.tsv",
	Flags: []cli.Flag{
		&cli.BoolFlag{Name: "files", Usage: "the lines name files"},
		&cli.StringFlag{Name: "vertex-files", Usage: "`FILE` that names files of vertices, of which some may have no edge"},
		&cli.IntFlag{Name: "limit", Usage: "fail where there are more than `N` vertices (default: 4,294,967,294)"},
	},
	Run: func(t *stage.Task) error {
		return graph.UnionEdges(t, graph.UnionOptions{Files: t.Bool("files"), Vertices: t.String("vertex-files"), Limit: t.Int("limit")})
	},
}
