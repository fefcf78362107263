// Command index-archives turns ARC and WARC files into index lines.
package main

import (
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"archivestream/lib/cdx"
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "index-archives",
	Summary:     "index the records of ARC and WARC files",
	Description: "Reads each archive once. What is damaged is rejected with its offset, and costs no other record. Of several records in one gzip member only the first has an offset; the rest are rejected, once for each member.",
	Input:       "Paths or URIs of archive files, compressed or not.",
	Output:      "One line for each capture: CDXJ or, behind a header line, CDX. Key: the line's first two fields, separated by a space. With --per-file also side files cdx/NAME.cdxj or .cdx.",
	Example:     "ls warcs/*.warc.gz | index-archives | LC_ALL=C sort > index.cdxj",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "format", Value: "cdxj", Usage: "`FORMAT` of the lines: cdxj (members as cdxj-indexer), cdxj-cc (as Common Crawl), cdxj-meta, cdxj-all, cdx11 or cdx9"},
		&cli.StringFlag{Name: "per-file", Usage: "`FORMAT` of a sorted index of each archive, as side file (default: none is made)"},
		&cli.StringFlag{Name: "records", Value: strings.Join(index.DefaultTypes, ","), Usage: "`TYPES` of records to index, separated by commas"},
		&cli.BoolFlag{Name: "crawl-metadata", Usage: "also metadata and resource records of the crawler's own (application/warc-fields, text/anvl)"},
		&cli.BoolFlag{Name: "post-append", Usage: "append method and body of other requests than GET and HEAD to the key"},
		&cli.BoolFlag{Name: "verify-digests", Usage: "reject digests that are not those of the record, but keep the capture"},
		&cli.StringFlag{Name: "relative-to", Usage: "`FOLDER` or URI that archives are named relative to (default: named by the path's last element)"},
		&cli.IntFlag{Name: "workers", Value: runtime.GOMAXPROCS(0), DefaultText: "all cores", Usage: "`N` goroutines read a large archive that is compressed by record"},
		&cli.BoolFlag{Name: "full-paths", Usage: "name archives as in the input"},
	},
	Run: run,
}

func run(t *stage.Task) error {
	o := index.MapperOptions{
		Options: index.Options{
			CrawlMetadata: t.Bool("crawl-metadata"),
			PostAppend:    t.Bool("post-append"),
			VerifyDigests: t.Bool("verify-digests"),
		},
		RelativeTo: t.String("relative-to"),
		FullPaths:  t.Bool("full-paths"),
		Workers:    t.Int("workers"),
	}
	var err error
	if o.Types, err = index.ParseTypes(t.String("records")); err != nil {
		return stage.Usage("--records: %v", err)
	}
	if o.Layout, err = cdx.ParseLayout(t.String("format")); err != nil {
		return stage.Usage("--format: %v", err)
	}
	if name := t.String("per-file"); name != "" {
		if o.PerFile, err = cdx.ParseLayout(name); err != nil {
			return stage.Usage("--per-file: %v", err)
		}
	}
	return index.Archives(t, o)
}
