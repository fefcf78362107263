// Command filter-captures takes the index lines for which an expression is true.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/selection"
	"archivestream/lib/stage"
	"archivestream/lib/zipnum"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "filter-captures",
	Summary: "take the captures for which an expression is true",
	Description: `Expressions have the fields surt, timestamp, url, mime, status, digest, redirect, meta, length, offset, filename, host, domain, year and month, as in status == 200 && domain == "15october.net"; their language is that of github.com/expr-lang/expr.
With --index sorted CDX and CDXJ files and ZipNum clusters are searched where they lie: a condition on surt, url, host or domain needs a few reads. Other indexes are scanned.
A line that is no capture is rejected.`,
	Input:   "Captures: CDX with 9 to 11 fields, CDXJ, or four fields separated by tabs; or lines of a plan. With --index none.",
	Output:  "Lines of an extraction plan, as of parse-captures. With --pick GROUP TAB ORDER in front of them, for pick-captures. With --form cdxj or cdx index lines.",
	Example: `filter-captures --where 'host == "www.example.org" && year == 2019' --index index.cdxj --form cdxj`,
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "where", Usage: "`EXPR` that is true for the captures that are taken (default: all are)"},
		zipnum.ElsewhereFlag(),
		&cli.StringSliceFlag{Name: "index", Usage: "`PATH` of an index instead of standard input: a file, a folder or a cluster.idx; hdfs://, https:// too; can be repeated"},
		&cli.Int64Flag{Name: "max-bytes", Usage: "read nothing, and count it as unread, where more than `N` bytes of the indexes would be read (default: any)"},
		&cli.Float64Flag{Name: "sample", Value: 1, Usage: "`SHARE` of the captures that is taken, over 0 to 1, the same however many tasks there are"},
		&cli.StringFlag{Name: "seed", Value: "1", Usage: "`TEXT` that decides which captures are in the sample"},
		&cli.StringFlag{Name: "form", Value: string(selection.Plan), Usage: "`FORM` of the lines: plan, cdxj or cdx"},
		&cli.StringFlag{Name: "pick", Usage: "`WHAT` pick-captures is to take of each group: latest, earliest or first-per-digest"},
		&cli.StringFlag{Name: "per", Value: "url", Usage: "`GROUP` of captures: url, host, domain or an expression"},
	},
	Run: func(t *stage.Task) error {
		return selection.Filter(t, selection.FilterOptions{
			Where: t.String("where"), Indexes: t.StringSlice("index"), MaxBytes: t.Int64("max-bytes"),
			Sample: t.Float64("sample"), Seed: t.String("seed"), Form: selection.Form(t.String("form")),
			Pick: selection.Pick(t.String("pick")), Per: t.String("per"),
		})
	},
}
