package zipnum

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/surt"
)

// LookupCDXCommand is the stage lookup-cdx.
func LookupCDXCommand() stage.Command {
	return stage.Command{
		Name:    "lookup-cdx",
		Summary: "find the captures of URLs in indexes",
		Description: `Searches by positioned reads: of an index on HDFS or a web server no more is fetched than the search needs.
URLs in the order of their SURT keys are fastest, since neighbours share what was read.
A URL that ends in * means all that begin with it, one that begins with *. a domain with its subdomains; --match overrules both.
A host is looked for with the URL's port if it has one, otherwise with any port; a domain always with any.
The latest capture of a URL is the first with --closest 29991231235959 --limit 1.`,
		Input:   "URLs; with --keys SURT keys, and anything behind a tab.",
		Output:  "The lines of the indexes as they are, for each URL sorted, those of several indexes merged. A URL without a capture gives none.",
		Example: "lookup-cdx --index zipnum/cluster.idx --from 2019 --to 2020 < urls.txt",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "index", Usage: "`PATH` of a cluster.idx, its folder, or sorted CDXJ or CDX files; hdfs://, https:// too; can be repeated"},
			&cli.StringFlag{Name: "match", Usage: "`HOW` the URL is matched: exact, prefix, host, domain (default: exact, or as a wildcard says)"},
			&cli.StringFlag{Name: "from", Usage: "earliest `TIMESTAMP`, 1 to 14 digits"},
			&cli.StringFlag{Name: "to", Usage: "latest `TIMESTAMP`, 1 to 14 digits"},
			&cli.StringFlag{Name: "closest", Usage: "order each URL's lines by their distance from a `TIMESTAMP`, at most 100000 of them"},
			&cli.IntFlag{Name: "limit", Usage: "at most `N` lines for each URL (default: all)"},
			&cli.BoolFlag{Name: "keys", Usage: "the input has SURT keys"},
			ElsewhereFlag(),
			&cli.BoolFlag{Name: "missing", Usage: "reject URLs that have no capture"},
		},
		Run: func(t *stage.Task) error {
			return Lookup(t, LookupOptions{
				Indexes: t.StringSlice("index"), Open: OptionsOf(t), Match: surt.Match(t.String("match")),
				From: t.String("from"), To: t.String("to"), Closest: t.String("closest"),
				Limit: t.Int("limit"), Keys: t.Bool("keys"), Missing: t.Bool("missing"),
			})
		},
	}
}
