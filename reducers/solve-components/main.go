// Command solve-components finds a smallest cover of each component.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "solve-components",
	Summary:     "find a smallest cover of each component",
	Description: "Reduces each component and searches for the optimum of what is left, or covers it greedily where that is too much. lib/cover/doc.go says how.",
	Input:       "Lines of components, sorted.",
	Output:      "Side files in cover, covered, components, _state and _summary. With --groups lines for top-up-cover.",
	Example:     "cat documents.tsv labels.tsv edges.tsv | meet-documents | LC_ALL=C sort | join-components | LC_ALL=C sort | solve-components --output result",
	Flags: []cli.Flag{
		&cli.IntFlag{Name: "exact-limit", Value: cover.DefaultExact, Usage: "search for the optimum of parts with up to `N` candidates after reductions"},
		&cli.Int64Flag{Name: "edges", Value: 20_000_000, Usage: "hold up to `N` edges of a component in memory, 45 bytes each, and cover larger ones from files"},
		&cli.BoolFlag{Name: "groups", Usage: "tell which groups the documents are in"},
	},
	Run: func(t *stage.Task) error {
		return cover.SolveComponents(t, cover.Options{
			Limits: cover.Limits{Exact: t.Int("exact-limit")},
			Edges:  t.Int64("edges"),
			Groups: t.Bool("groups"),
		})
	},
}
