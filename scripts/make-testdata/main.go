// Command make-testdata makes the files in testdata: archives of a small web site
// of our own, lists of their captures, and archives that are damaged or odd.
package main

import (
	"fmt"
	"os"

	"archivestream/lib/stage"

	"github.com/urfave/cli/v2"
)

func main() {
	app := &cli.App{
		Name:      "make-testdata",
		Usage:     "make the files in testdata",
		UsageText: "make-testdata [--crawl] [--output FOLDER]",
		Description: "Files that the program makes itself are the same bytes each time. With --crawl, wget crawls\n" +
			"the site anew; its archives have other dates each time, and so have the lists of captures.",
		Version:         stage.Version,
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Value: "testdata", Usage: "`FOLDER` that the files go into"},
			&cli.BoolFlag{Name: "crawl", Usage: "crawl the site with wget"},
		},
		Action: func(c *cli.Context) error { return makeAll(c.String("output"), c.Bool("crawl")) },
	}
	if err := app.Run(os.Args); err != nil {
		fmt.Fprintf(os.Stderr, "make-testdata: error: %v\n", err)
		os.Exit(1)
	}
}
