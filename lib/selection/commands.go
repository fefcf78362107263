package selection

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
	"archivestream/lib/zipnum"
)

// FilterCapturesCommand is the stage filter-captures.
func FilterCapturesCommand() stage.Command {
	return stage.Command{
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
			&cli.StringFlag{Name: "form", Value: string(Plan), Usage: "`FORM` of the lines: plan, cdxj or cdx"},
			&cli.StringFlag{Name: "pick", Usage: "`WHAT` pick-captures is to take of each group: latest, earliest or first-per-digest"},
			&cli.StringFlag{Name: "per", Value: "url", Usage: "`GROUP` of captures: url, host, domain or an expression"},
		},
		Run: func(t *stage.Task) error {
			return Filter(t, FilterOptions{
				Where: t.String("where"), Indexes: t.StringSlice("index"), MaxBytes: t.Int64("max-bytes"),
				Sample: t.Float64("sample"), Seed: t.String("seed"), Form: Form(t.String("form")),
				Pick: Pick(t.String("pick")), Per: t.String("per"),
			})
		},
	}
}

// FindOriginalsCommand is the stage find-originals.
func FindOriginalsCommand() stage.Command {
	return stage.Command{
		Name:        "find-originals",
		Summary:     "put revisits beside the captures that may have their payload",
		Description: "A revisit's record has no payload: that of an earlier capture with the same digest is meant, of the same URL if there is one. With --index the original of the same URL is looked up in sorted indexes. For what is left, --by read notes in the plan what the records of revisits say of their originals (WARC-Refers-To-Target-URI and -Date, WARC-Refers-To), and --by reference puts them beside the captures of that URL and date, or of that id.",
		Input:       "Lines of a plan, of which the revisits need an original, and index lines. With --index lines of a plan.",
		Output:      "DIGEST TAB KEY TAB KIND TAB ORDER TAB PLAN, for resolve-revisits. With --index lines of a plan.",
		Example:     "cat plan.tsv index.cdxj | find-originals | LC_ALL=C sort | resolve-revisits | LC_ALL=C sort > resolved.tsv",
		Flags: []cli.Flag{
			zipnum.ElsewhereFlag(),
			&cli.StringSliceFlag{Name: "index", Usage: "`PATH` of a sorted index to be searched; can be repeated"},
			&cli.StringFlag{Name: "wanted", Usage: "`PATH` of the plan: index lines that none of its revisits needs are left out"},
			&cli.StringFlag{Name: "by", Value: "digest", Usage: "`WHAT` originals are found by: digest or reference; or read, which notes references in the plan"},
			&cli.StringFlag{Name: "archives", Usage: "`FOLDER` or URI that the names of archive files are relative to, for --by read and reference"},
			&cli.StringFlag{Name: "path-index", Usage: "`FILE` with lines NAME TAB PATH, sorted as by LC_ALL=C sort"},
		},
		Run: runFindOriginals,
	}
}

func runFindOriginals(t *stage.Task) error {
	o := OriginalOptions{Indexes: t.StringSlice("index"), Wanted: t.String("wanted"), By: t.String("by")}
	if o.By == "digest" {
		return FindOriginals(t, nil, o)
	}
	archives, err := extract.OpenPlan(t.String("archives"), t.String("path-index"))
	if err != nil {
		return err
	}
	defer archives.Close()
	return FindOriginals(t, archives, o)
}

// PickCapturesCommand is the stage pick-captures.
func PickCapturesCommand() stage.Command {
	return stage.Command{
		Name:        "pick-captures",
		Summary:     "take one capture of each group",
		Description: "The first line of each group is the one that is wanted, whatever the size of the group.",
		Input:       "Lines of filter-captures --pick, sorted by all their fields.",
		Output:      "Lines of an extraction plan.",
		Example:     "filter-captures --pick latest < index.cdxj | LC_ALL=C sort | pick-captures | LC_ALL=C sort > plan.tsv",
		Run:         PickCaptures,
	}
}

// ResolveRevisitsCommand is the stage resolve-revisits.
func ResolveRevisitsCommand() stage.Command {
	return stage.Command{
		Name:        "resolve-revisits",
		Summary:     "give revisits the place of their original",
		Description: "The original is the earliest capture of the same URL that has the revisit's digest, or else of any URL. A revisit keeps its own index line, and its own place where there is no original.",
		Input:       "Lines of find-originals, sorted by all their fields.",
		Output:      "Lines of an extraction plan.",
		Example:     "cat plan.tsv index.cdxj | find-originals | LC_ALL=C sort | resolve-revisits | LC_ALL=C sort > resolved.tsv",
		Run:         ResolveRevisits,
	}
}
