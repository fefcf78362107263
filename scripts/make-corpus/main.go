// Command make-corpus makes a collection that looks like a web archive's, of any
// size: ARC and WARC files and the lists of what is in them.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"archivestream/lib/corpus"
	"archivestream/lib/stage"

	"github.com/urfave/cli/v2"
)

func main() {
	app := &cli.App{
		Name:            "make-corpus",
		Usage:           "make ARC and WARC files of made-up pages, with indexes and lists",
		UsageText:       "make-corpus --output FOLDER --records N [OPTION]...",
		Description:     "The same options make the same bytes. A pick is a random choice of captures, in random order.",
		Version:         stage.Version,
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Required: true, Usage: "`FOLDER` that is empty or not there; archives go into its folder archives"},
			&cli.IntFlag{Name: "records", Required: true, Usage: "`N` captures"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`N` that all is derived from"},
			&cli.IntFlag{Name: "files", Usage: "`N` archives with equally many captures (default: as many as --file-size makes)"},
			&cli.StringFlag{Name: "file-size", Value: "100MB", Usage: "`SIZE` that ends an archive"},
			&cli.IntFlag{Name: "hosts", Value: 1000, Usage: "`N` hosts"},
			&cli.StringFlag{Name: "format", Value: "both", Usage: "`FORMAT`: warc, arc or both"},
			&cli.BoolFlag{Name: "compress", Value: true, Usage: "one gzip member for each record; --compress=false: none"},
			&cli.StringFlag{Name: "min-size", Value: "2KB", Usage: "least `SIZE` of a payload"},
			&cli.StringFlag{Name: "max-size", Value: "60KB", Usage: "largest `SIZE` of a payload"},
			&cli.BoolFlag{Name: "requests", Usage: "with request records, in WARC"},
			&cli.BoolFlag{Name: "lists", Value: true, Usage: "make index.cdx, index.cdxj, captures.tsv, pick.tsv, pick.cdxj; --lists=false: none"},
			&cli.IntFlag{Name: "pick", Value: 1000, Usage: "`N` captures in the picks"},
		},
		Action:         run,
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return err },
		ExitErrHandler: func(*cli.Context, error) {},
	}
	if err := app.Run(os.Args); err != nil {
		fmt.Fprintf(os.Stderr, "make-corpus: error: %v\n", err)
		if failed := cli.ExitCoder(nil); errors.As(err, &failed) {
			os.Exit(failed.ExitCode())
		}
		fmt.Fprintln(os.Stderr, "make-corpus: hint: try make-corpus --help")
		os.Exit(2)
	}
}

func run(c *cli.Context) error {
	if c.Args().Present() {
		return fmt.Errorf("unexpected argument %s", c.Args().First())
	}
	fileSize, err1 := corpus.ParseSize(c.String("file-size"))
	minSize, err2 := corpus.ParseSize(c.String("min-size"))
	maxSize, err3 := corpus.ParseSize(c.String("max-size"))
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	options := corpus.Options{
		Records: c.Int("records"), Seed: c.Uint64("seed"), Files: c.Int("files"), FileSize: fileSize,
		Hosts: c.Int("hosts"), Format: c.String("format"), Compress: c.Bool("compress"),
		MinSize: int(minSize), MaxSize: int(maxSize), Requests: c.Bool("requests"), Lists: c.Bool("lists"), Pick: c.Int("pick"),
	}
	if err := options.Check(); err != nil {
		return err
	}
	totals, err := corpus.Make(c.String("output"), options)
	if err != nil {
		return cli.Exit(err, 1)
	}
	fmt.Fprintf(os.Stderr, "make-corpus: %d responses and %d revisits of %d URLs, %d archives of %d bytes in %s\n",
		totals.Responses, totals.Revisits, totals.URLs, totals.Archives, totals.Bytes, filepath.Join(c.String("output"), "archives"))
	return nil
}
