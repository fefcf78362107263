package mementomap

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// AddCountsCommand is the stage add-counts.
func AddCountsCommand() stage.Command {
	return stage.Command{
		Name:        "add-counts",
		Summary:     "add up the captures and URIs of the keys of a profile",
		Description: "Lines of several maps are added up too: the number of different URIs is an upper bound then.",
		Input:       "What count-captures emits, sorted by the first three fields.",
		Output:      "KEY CAPTURES/URIS, or KEY 0 for what is excluded, sorted. With --combine the form of the input.",
		Example:     "count-captures < index.cdxj | LC_ALL=C sort | add-counts > keys.ukvs",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "combine", Usage: "add up what a map task emits, before it is sorted with the rest"},
		},
		Run: func(t *stage.Task) error {
			if t.Bool("combine") {
				return CombineCounts(t)
			}
			return AddCounts(t)
		},
	}
}

// ChooseWeightsCommand is the stage choose-weights.
func ChooseWeightsCommand() stage.Command {
	return stage.Command{
		Name:        "choose-weights",
		Summary:     "find the weights with which a profile becomes as small as wished",
		Description: "Takes the largest equal weights for hosts and paths, or the other one where one is given, with which the map has no more lines than wished.",
		Input:       "What measure-mementomap writes, of all parts of a map.",
		Output:      "Lines NAME TAB VALUE: host-weight, path-weight and lines of the map; host-curve and path-curve, which are fitted to the input; roll, a TLD to be rolled up.",
		Example:     "measure-mementomap < keys.ukvs | choose-weights --cost 0.015",
		Flags: []cli.Flag{
			&cli.Float64Flag{Name: "roll-weight", Usage: "also tell the TLDs with more than `W` times the registered domains that are to be expected"},
			&cli.StringFlag{Name: "popularity", Usage: "`FILE` of lines TLD TAB NUMBER OF DOMAINS, by which they are to be expected (default: the mean of the input's TLDs)"},
			&cli.Int64Flag{Name: "lines", Usage: "the map has at most `N` lines"},
			&cli.Float64Flag{Name: "cost", Usage: "or at most `F` lines for each URI-R"},
			&cli.StringFlag{Name: "host-weight", Usage: "`W` that is fixed"},
			&cli.StringFlag{Name: "path-weight", Usage: "`W` that is fixed"},
		},
		Run: func(t *stage.Task) error {
			o := ChooseOptions{Lines: t.Int64("lines"), Cost: t.Float64("cost"), HostWeight: -1, PathWeight: -1}
			for name, value := range map[string]*float64{"host-weight": &o.HostWeight, "path-weight": &o.PathWeight} {
				if text := t.String(name); text != "" {
					w, err := ParseWeight(text)
					if err != nil {
						return stage.Usage("--%s: %v", name, err)
					}
					*value = w
				}
			}
			o.RollWeight = t.Float64("roll-weight")
			if name := t.String("popularity"); name != "" {
				var err error
				if o.Popularity, err = ReadPopularity(name); err != nil {
					return err
				}
			}
			return Choose(t, o)
		},
	}
}

// CompactMementomapCommand is the stage compact-mementomap.
func CompactMementomapCommand() stage.Command {
	return stage.Command{
		Name:    "compact-mementomap",
		Summary: "make a profile of an archive's holdings smaller",
		Description: `Rolls up hosts and paths with many children into one line with a wildcard. One pass in bounded memory; lines of equal keys, of several maps, are added up.
Every key stays covered, and exclusions stay as they are.`,
		Input:   "A map in UKVS, sorted as by LC_ALL=C sort: KEY CAPTURES[/URIS], perhaps a JSON object behind. Headers begin with !.",
		Output:  "The smaller map, in the same form. With --files the data alone, in map/part-NNNNN.",
		Example: "LC_ALL=C sort -m 2019.ukvs 2020.ukvs | compact-mementomap --host-weight 4 --path-weight 2 > both.ukvs",
		Flags:   Flags(true),
		Run: func(t *stage.Task) error {
			o, err := OptionsOf(t)
			if err != nil {
				return err
			}
			return Compact(t, o, t.Bool("files"))
		},
	}
}

// CountCapturesCommand is the stage count-captures.
func CountCapturesCommand() stage.Command {
	return stage.Command{
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
			roll, err := ReadHosts(t.String("roll"))
			if err != nil {
				return err
			}
			return CountCaptures(t, CountOptions{
				Where: t.String("where"), SkipRobots: t.Bool("skip-robots"), Absent: t.Bool("absent"), Blocked: t.String("blocked"),
				Ranges: t.String("ranges"), Reducers: t.Int("reducers"), Roll: roll, Sample: t.Float64("sample"),
			})
		},
	}
}

// LookupMementomapCommand is the stage lookup-mementomap.
func LookupMementomapCommand() stage.Command {
	return stage.Command{
		Name:    "lookup-mementomap",
		Summary: "tell which URIs an archive holds, by its profile",
		Description: `Gives the most specific line of a map that covers a URI: its own, then the wildcards of its path, of the paths above it, of its host and of the hosts above. A frequency of zero says that it is absent.
The map is searched where it lies. Of sorted URIs (by their keys) each part of it is read about once.`,
		Input:   "URIs, one a line. With --keys SURTs.",
		Output:  "URI TAB MATCHED KEY TAB FREQUENCY; - twice where no line covers the URI.",
		Example: "lookup-mementomap --map mementomap.ukvs < uris.txt",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "map", Usage: "`FILE` in UKVS, sorted: text, or gzip, with the index of its blocks beside it or not; hdfs://, https:// too"},
			&cli.BoolFlag{Name: "keys", Usage: "the input is SURTs"},
		},
		Run: func(t *stage.Task) error { return Lookup(t, t.String("map"), t.Bool("keys")) },
	}
}

// MeasureMementomapCommand is the stage measure-mementomap.
func MeasureMementomapCommand() stage.Command {
	return stage.Command{
		Name:        "measure-mementomap",
		Summary:     "tell how many lines a profile has when it is compacted, for many weights",
		Description: "One pass in bounded memory, without making any of the maps.",
		Input:       "What compact-mementomap reads.",
		Output:      "A JSON object of lines by weights, and of nodes and their children by depth, for choose-weights.",
		Example:     "measure-mementomap < keys.ukvs | choose-weights --lines 100000",
		Flags:       Flags(false),
		Run: func(t *stage.Task) error {
			o, err := OptionsOf(t)
			if err != nil {
				return err
			}
			return MeasureMap(t, o, t.Bool("files"))
		},
	}
}

// WriteMementomapCommand is the stage write-mementomap.
func WriteMementomapCommand() stage.Command {
	return stage.Command{
		Name:        "write-mementomap",
		Summary:     "write a profile of an archive with its headers",
		Description: "Headers are those of the map that it was made of; of several maps each one's name and headers are kept in !meta.",
		Input:       "Sorted lines KEY FREQUENCY.",
		Output:      "mementomap.ukvs; with --gzip mementomap.ukvs.gz, in blocks that can be inflated alone, and their index mementomap.ukvs.gz.idx.",
		Example:     "LC_ALL=C sort -m a.ukvs b.ukvs | grep -v ^! | compact-mementomap | write-mementomap --of a.ukvs --of b.ukvs --output both",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "gzip", Usage: "in blocks, compressed"},
			&cli.StringSliceFlag{Name: "meta", Usage: "`FILE` of headers, lines that begin with !; can be repeated"},
			&cli.StringSliceFlag{Name: "of", Usage: "`FILE` of a map that went into this one; can be repeated"},
		},
		Run: func(t *stage.Task) error {
			return WriteMap(t, WriteOptions{Gzip: t.Bool("gzip"), Meta: t.StringSlice("meta"), Of: t.StringSlice("of")})
		},
	}
}
