// Command make-documents makes documents like those of a web archive, many of them
// nearly the same, for trying and timing jobs/redundancy.sh.
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
		Name:            "make-documents",
		Usage:           "make documents of made-up text, many nearly the same, as JSON Lines",
		UsageText:       "make-documents --documents N [OPTION]... > documents.json",
		Description:     "The same options make the same bytes.",
		Version:         stage.Version,
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "documents", Required: true, Usage: "`N` documents"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`N` that all is derived from"},
			&cli.StringFlag{Name: "collection", Value: "mixed", Usage: "`NAME`: mixed, or A, B, C with 2.1 to 2.3 versions of a URL, of several years, one year, one host"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %s", c.Args().First())
			}
			return corpus.MakeDocuments(os.Stdout, corpus.DocumentOptions{Documents: c.Int("documents"), Seed: c.Uint64("seed"), Collection: c.String("collection")})
		},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return err },
		ExitErrHandler: func(*cli.Context, error) {},
	}
	if err := app.Run(os.Args); err != nil {
		fmt.Fprintf(os.Stderr, "make-documents: error: %v\nmake-documents: hint: try make-documents --help\n", err)
		os.Exit(2)
	}
}
