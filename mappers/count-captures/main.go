// Command count-captures makes the keys of an archive's profile from captures.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "count-captures",
	Summary: "make the keys of an archive's profile from captures",
	Description: `A key is a SURT without query and fragment, of other maps' lines too. All captures count, whatever their status and media type.
With --where an expression on captures, as in status == 200 && mime == "text/html".`,
	Input:   "CDX with 9 to 11 fields, CDXJ, lines of maps (KEY FREQUENCY), and access logs: URI and status, or the common log format with a URI in the request.",
	Output:  "WORD TAB KEY TAB KIND TAB VALUE, to be sorted by the first three, for add-counts. With --sample registered domains, for cut-ranges.",
	Example: "count-captures --skip-robots < index.cdxj | LC_ALL=C sort | add-counts > keys.ukvs",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "where", Usage: "`EXPR` that is true for the captures that count (default: all do)"},
		&cli.BoolFlag{Name: "skip-robots", Usage: "leave out /robots.txt and /sitemap.xml"},
		&cli.BoolFlag{Name: "absent", Usage: "make exclusions of requests with status 404 or 410 in access logs"},
		&cli.StringFlag{Name: "blocked", Usage: "`FILE` of keys, wildcards and URIs that are left out; as input it makes exclusions"},
		&cli.StringFlag{Name: "ranges", Usage: "`FILE` that cut-ranges has made (default: one range)"},
		&cli.IntFlag{Name: "reducers", Value: 1, Usage: "`N` reducers add up"},
		&cli.StringFlag{Name: "roll", Usage: "`FILE` of hosts within which ranges are not cut"},
		&cli.Float64Flag{Name: "sample", Usage: "emit the registered domains of a `SHARE` of the lines instead"},
	},
	Run: func(t *stage.Task) error {
		roll, err := mementomap.ReadHosts(t.String("roll"))
		if err != nil {
			return err
		}
		return mementomap.CountCaptures(t, mementomap.CountOptions{
			Where: t.String("where"), SkipRobots: t.Bool("skip-robots"), Absent: t.Bool("absent"), Blocked: t.String("blocked"),
			Ranges: t.String("ranges"), Reducers: t.Int("reducers"), Roll: roll, Sample: t.Float64("sample"),
		})
	},
}
