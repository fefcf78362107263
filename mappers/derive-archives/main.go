// Command derive-archives makes WAT, WET, META, CDXJ and link lines of archive files,
// each of which it reads once.
package main

import (
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"archivestream/lib/derive"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "derive-archives",
	Summary: "make WAT, WET, META, CDXJ and link lines of ARC and WARC files",
	Description: `Reads each archive file once; each record is inflated, hashed, decoded and parsed once for all that is made of it.
What is damaged is rejected with its offset and costs that record only.`,
	Input:   "Paths or URIs of archive files; after a tab, the path that a file has in a dataset (DIR/warc/NAME): then its derivatives go into DIR/wat and so on; after another, what their names begin with.",
	Output:  "Side files, for X.warc.gz: wat/X.warc.wat.gz, wet/X.warc.wet.gz, meta/X.warc.meta.gz, cdx/X.warc.gz.cdxj.gz, links/X.warc.gz.links.gz. With --emit also the index lines, which sort as by LC_ALL=C sort.",
	Example: "ls warcs/*.warc.gz | derive-archives --make wat,wet --output derived",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "make", Value: strings.Join([]string{derive.WAT, derive.WET, derive.META, derive.CDXJ}, ","), Usage: "`LIST` of wat, wet, meta, cdxj, links, separated by commas"},
		&cli.BoolFlag{Name: "emit", Usage: "write index lines, with the fields that META has, to standard output"},
		&cli.StringFlag{Name: "relative-to", Usage: "`FOLDER` or URI that the index names archives relative to (default: by the path's last element)"},
		&cli.StringFlag{Name: "date", Usage: "`DATE` of the derivatives, as in 2021-02-03T04:05:06Z (default: that of each file's first record)"},
		&cli.IntFlag{Name: "workers", Value: runtime.GOMAXPROCS(0), DefaultText: "all cores", Usage: "`N` goroutines compress"},
	},
	Run: run,
}

func run(t *stage.Task) error {
	o := derive.Options{Emit: t.Bool("emit"), Workers: t.Int("workers"), RelativeTo: t.String("relative-to")}
	var err error
	if o.Make, err = derive.ParseKinds(t.String("make")); err != nil {
		return stage.Usage("--make: %v", err)
	}
	if date := t.String("date"); date != "" {
		if o.Date, err = time.Parse(time.RFC3339, date); err != nil {
			return stage.Usage("--date %s: a date such as 2021-02-03T04:05:06Z is wanted", date)
		}
	}
	return derive.Archives(t, o)
}
