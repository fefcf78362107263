// Command train-soft404 makes the model of package soft404 out of generated pages
// and writes it to standard output.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"archivestream/lib/soft404/training"
	"archivestream/lib/stage"
)

func main() {
	app := &cli.App{
		Name:            "train-soft404",
		Usage:           "make the model that tells error pages with status 200",
		UsageText:       "train-soft404 [OPTION]... > lib/soft404/soft404.tsv",
		Description:     "The same options make the same bytes.",
		Version:         stage.Version,
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`N` that all is derived from"},
			&cli.IntFlag{Name: "pages", Value: 30000, Usage: "`N` pages to learn from"},
			&cli.IntFlag{Name: "features", Value: 4000, Usage: "`N` features of the model, at most"},
		},
		Action: func(ctx *cli.Context) error {
			out := bufio.NewWriter(os.Stdout)
			err := training.Train(out, training.Options{Seed: ctx.Uint64("seed"), Pages: ctx.Int("pages"), Features: ctx.Int("features")})
			return errors.Join(err, out.Flush())
		},
	}
	if err := app.Run(os.Args); err != nil {
		fmt.Fprintf(os.Stderr, "train-soft404: error: %v\n", err)
		os.Exit(1)
	}
}
