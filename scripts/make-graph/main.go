// Command make-graph makes the edges of graphs for trying and timing
// jobs/components.sh.
package main

import (
	"fmt"
	"os"

	"archivestream/lib/corpus"
	"archivestream/lib/stage"

	"github.com/urfave/cli/v2"
)

func main() {
	app := &cli.App{
		Name:            "make-graph",
		Usage:           "make the edges of a graph, two ids a line",
		UsageText:       "make-graph --vertices N [OPTION]... > edges.tsv",
		Description:     "The same options make the same bytes.",
		Version:         stage.Version,
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "kind", Value: "random", Usage: "`KIND`: random, path (in the order of ids) or shuffled-path"},
			&cli.IntFlag{Name: "vertices", Required: true, Usage: "`N` vertices, of which a random graph may leave some out"},
			&cli.IntFlag{Name: "edges", Usage: "`N` edges of a random graph"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`N` that all is derived from"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %s", c.Args().First())
			}
			return corpus.MakeGraph(os.Stdout, corpus.GraphOptions{Kind: c.String("kind"), Vertices: c.Int("vertices"), Edges: c.Int("edges"), Seed: c.Uint64("seed")})
		},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return err },
		ExitErrHandler: func(*cli.Context, error) {},
	}
	if err := app.Run(os.Args); err != nil {
		fmt.Fprintf(os.Stderr, "make-graph: error: %v\nmake-graph: hint: try make-graph --help\n", err)
		os.Exit(2)
	}
}
