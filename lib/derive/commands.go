package derive

import (
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// DeriveArchivesCommand is the stage derive-archives.
func DeriveArchivesCommand() stage.Command {
	return stage.Command{
		Name:    "derive-archives",
		Summary: "make WAT, WET, META, CDXJ and link lines of ARC and WARC files",
		Description: `Reads each archive file once; each record is inflated, hashed, decoded and parsed once for all that is made of it.
What is damaged is rejected with its offset and costs that record only.`,
		Input:   "Paths or URIs of archive files; after a tab, the path that a file has in a dataset (DIR/warc/NAME): then its derivatives go into DIR/wat and so on; after another, what their names begin with.",
		Output:  "Side files, for X.warc.gz: wat/X.warc.wat.gz, wet/X.warc.wet.gz, meta/X.warc.meta.gz, cdx/X.warc.gz.cdxj.gz, links/X.warc.gz.links.gz. With --emit also the index lines, which sort as by LC_ALL=C sort.",
		Example: "ls warcs/*.warc.gz | derive-archives --make wat,wet --output derived",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "make", Value: strings.Join([]string{WAT, WET, META, CDXJ}, ","), Usage: "`LIST` of wat, wet, meta, cdxj, links, separated by commas"},
			&cli.BoolFlag{Name: "emit", Usage: "write index lines, with the fields that META has, to standard output"},
			&cli.StringFlag{Name: "relative-to", Usage: "`FOLDER` or URI that the index names archives relative to (default: by the path's last element)"},
			&cli.StringFlag{Name: "date", Usage: "`DATE` of the derivatives, as in 2021-02-03T04:05:06Z (default: that of each file's first record)"},
			&cli.IntFlag{Name: "workers", Value: runtime.GOMAXPROCS(0), DefaultText: "all cores", Usage: "`N` goroutines compress"},
		},
		Run: runDeriveArchives,
	}
}

func runDeriveArchives(t *stage.Task) error {
	o := Options{Emit: t.Bool("emit"), Workers: t.Int("workers"), RelativeTo: t.String("relative-to")}
	var err error
	if o.Make, err = ParseKinds(t.String("make")); err != nil {
		return stage.Usage("--make: %v", err)
	}
	if date := t.String("date"); date != "" {
		if o.Date, err = time.Parse(time.RFC3339, date); err != nil {
			return stage.Usage("--date %s: a date such as 2021-02-03T04:05:06Z is wanted", date)
		}
	}
	return Archives(t, o)
}

// ListChecksumsCommand is the stage list-checksums.
func ListChecksumsCommand() stage.Command {
	return stage.Command{
		Name:    "list-checksums",
		Summary: "list SHA-256 checksums and sizes of files, and copy them",
		Input:   "Paths or URIs of files; behind a tab, the name that is to be listed; behind another one, the word copy, for a side file of that name.",
		Output:  "NAME TAB SHA-256 TAB SIZE; copies of files as side files.",
		Example: "ls warcs/*.warc.gz | list-checksums > checksums.tsv",
		Run:     Checksums,
	}
}

// ListLinksCommand is the stage list-links.
func ListLinksCommand() stage.Command {
	return stage.Command{
		Name:        "list-links",
		Summary:     "list the links between hosts in WAT, ARC and WARC files",
		Description: "The rel attributes of areas are not in the WAT files of other programs: their nofollow is not seen there. WAT files have no links of resource records, which are no HTTP responses.",
		Input:       "Paths or URIs of WAT or archive files.",
		Output:      "Link lines (package webgraph): FROM TAB TO TAB KIND TAB N, host names reversed.",
		Example:     "ls wat/*.wat.gz | list-links | fold-links | LC_ALL=C sort | sum-links",
		Run:         ListLinks,
	}
}
