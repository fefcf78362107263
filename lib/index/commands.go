package index

import (
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"archivestream/lib/cctable"
	"archivestream/lib/cdx"
	"archivestream/lib/stage"
)

// AssignRangesCommand is the stage assign-ranges.
func AssignRangesCommand() stage.Command {
	return stage.Command{
		Name:        "assign-ranges",
		Summary:     "send index lines to the reducers of their ranges",
		Description: "Puts a word in front of each line that Hadoop's KeyFieldBasedPartitioner (-k1,1) sends to the reducer of the line's range. Lines in another layout are brought into the one that is wanted.",
		Input:       "Index lines: CDX or CDXJ.",
		Output:      "WORD TAB LINE, to be sorted by both.",
		Example:     "assign-ranges --ranges ranges.txt --shards 8 < index.cdxj | LC_ALL=C sort | write-index --ranged --zipnum --output index",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "ranges", Usage: "`FILE` that cut-ranges has made (default: one range)"},
			&cli.IntFlag{Name: "shards", Value: 1, Usage: "`N` reducers sort"},
			&cli.StringFlag{Name: "layout", Value: string(cdx.LayoutCDXJ), Usage: "`LAYOUT` of the lines: cdxj, cdxj-cc, cdxj-meta, cdxj-all, cdx11 or cdx9"},
			&cli.StringFlag{Name: "fresh", Usage: "take lines over unseen that come from below `FOLDER`"},
			&cli.StringFlag{Name: "drop", Usage: "leave out captures in the archive files that `FILE` names, one a line"},
		},
		Run: func(t *stage.Task) error {
			layout, err := cdx.ParseLayout(t.String("layout"))
			if err != nil {
				return stage.Usage("--layout: %v", err)
			}
			return AssignRanges(t, AssignOptions{
				Ranges:   t.String("ranges"),
				Reducers: t.Int("shards"),
				New:      t.String("fresh"),
				Drop:     t.String("drop"),
				Layout:   layout,
			})
		},
	}
}

// CutRangesCommand is the stage cut-ranges.
func CutRangesCommand() stage.Command {
	return stage.Command{
		Name:        "cut-ranges",
		Summary:     "cut sorted keys into ranges of about equal size",
		Description: "Holds the keys in memory: 1,000 for each range are enough.",
		Input:       "Sorted keys of sample-keys.",
		Output:      "The key that each range begins with, the first left out. Fewer where there are not as many different keys.",
		Example:     "sample-keys --ranges 8 < index.cdxj | LC_ALL=C sort | cut-ranges --ranges 8 > ranges.txt",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "ranges", Value: 1, Usage: "cut into up to `N` ranges"},
		},
		Run: func(t *stage.Task) error { return CutRanges(t, t.Int("ranges")) },
	}
}

// IndexArchivesCommand is the stage index-archives.
func IndexArchivesCommand() stage.Command {
	return stage.Command{
		Name:        "index-archives",
		Summary:     "index the records of ARC and WARC files",
		Description: "Reads each archive once. What is damaged is rejected with its offset, and costs no other record. Of several records in one gzip member only the first has an offset; the rest are rejected, once for each member.",
		Input:       "Paths or URIs of archive files, compressed or not.",
		Output:      "One line for each capture: CDXJ or, behind a header line, CDX. Key: the line's first two fields, separated by a space. With --per-file also side files cdx/NAME.cdxj or .cdx.",
		Example:     "ls warcs/*.warc.gz | index-archives | LC_ALL=C sort > index.cdxj",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "cdxj", Usage: "`FORMAT` of the lines: cdxj (members as cdxj-indexer), cdxj-cc (as Common Crawl), cdxj-meta, cdxj-all, cdx11 or cdx9"},
			&cli.StringFlag{Name: "per-file", Usage: "`FORMAT` of a sorted index of each archive, as side file (default: none is made)"},
			&cli.StringFlag{Name: "records", Value: strings.Join(DefaultTypes, ","), Usage: "`TYPES` of records to index, separated by commas"},
			&cli.BoolFlag{Name: "crawl-metadata", Usage: "also metadata and resource records of the crawler's own (application/warc-fields, text/anvl)"},
			&cli.BoolFlag{Name: "post-append", Usage: "append method and body of other requests than GET and HEAD to the key"},
			&cli.BoolFlag{Name: "verify-digests", Usage: "reject digests that are not those of the record, but keep the capture"},
			&cli.StringFlag{Name: "relative-to", Usage: "`FOLDER` or URI that archives are named relative to (default: named by the path's last element)"},
			&cli.IntFlag{Name: "workers", Value: runtime.GOMAXPROCS(0), DefaultText: "all cores", Usage: "`N` goroutines read a large archive that is compressed by record"},
			&cli.BoolFlag{Name: "full-paths", Usage: "name archives as in the input"},
		},
		Run: runIndexArchives,
	}
}

func runIndexArchives(t *stage.Task) error {
	o := MapperOptions{
		Options: Options{
			CrawlMetadata: t.Bool("crawl-metadata"),
			PostAppend:    t.Bool("post-append"),
			VerifyDigests: t.Bool("verify-digests"),
		},
		RelativeTo: t.String("relative-to"),
		FullPaths:  t.Bool("full-paths"),
		Workers:    t.Int("workers"),
	}
	var err error
	if o.Types, err = ParseTypes(t.String("records")); err != nil {
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
	return Archives(t, o)
}

// NumberBlocksCommand is the stage number-blocks.
func NumberBlocksCommand() stage.Command {
	return stage.Command{
		Name:    "number-blocks",
		Summary: "make cluster.idx and cluster.loc of the index lines of all shards",
		Input:   "Index lines of ZipNum shards, one shard's behind the other's, sorted.",
		Output:  "Side files cluster.idx, with block numbers that run through all shards, and cluster.loc.",
		Example: "cat _cluster/part-*.idx | number-blocks --output zipnum",
		Run:     NumberBlocks,
	}
}

// SampleKeysCommand is the stage sample-keys.
func SampleKeysCommand() stage.Command {
	return stage.Command{
		Name:        "sample-keys",
		Summary:     "emit the keys of a sample of index lines",
		Description: "Picks lines by their hash: the sample does not depend on the number of tasks.",
		Input:       "Index lines: CDX or CDXJ.",
		Output:      "Key and timestamp of each line that is picked, for cut-ranges.",
		Example:     "sample-keys --ranges 8 --lines 1000000 < index.cdxj | LC_ALL=C sort | cut-ranges --ranges 8",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "ranges", Value: 1, Usage: "`N` ranges are to be cut"},
			&cli.Int64Flag{Name: "lines", Usage: "about `N` lines are there in all"},
		},
		Run: func(t *stage.Task) error { return SampleKeys(t, t.Int("ranges"), t.Int64("lines")) },
	}
}

// WriteIndexCommand is the stage write-index.
func WriteIndexCommand() stage.Command {
	return stage.Command{
		Name:        "write-index",
		Summary:     "write sorted index lines as text, ZipNum and Parquet",
		Description: "Lines that are equal are written once.",
		Input:       "Sorted index lines; with --ranged as assign-ranges makes them.",
		Output:      "Side files: index.cdxj or .cdx (--lines --alone) or _index/part-NNNNN (--lines); zipnum/cdx-NNNNN.gz and _cluster/part-NNNNN.idx (--zipnum); table/crawl=…/subset=…/part-NNNNN.CODEC.parquet (--parquet).",
		Example:     "index-archives < warcs.txt | LC_ALL=C sort | write-index --lines --alone --parquet --output index",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "layout", Value: string(cdx.LayoutCDXJ), Usage: "`LAYOUT` of the lines: cdxj, cdxj-cc, cdxj-meta, cdxj-all, cdx11 or cdx9"},
			&cli.BoolFlag{Name: "ranged", Usage: "a word stands in front of each line"},
			&cli.BoolFlag{Name: "lines", Usage: "make a text file"},
			&cli.BoolFlag{Name: "alone", Usage: "this is the only range: name the text file as a whole index"},
			&cli.BoolFlag{Name: "zipnum", Usage: "make a ZipNum shard"},
			&cli.BoolFlag{Name: "parquet", Usage: "make a part of a Parquet table"},
			&cli.StringFlag{Name: "codec", Value: string(cctable.Zstd), Usage: "`CODEC` of the table: zstd or gzip"},
			&cli.BoolFlag{Name: "bloom-filter", Usage: "of the table's URLs"},
			&cli.StringFlag{Name: "crawl", Value: "main", Usage: "partition `NAME` of the table"},
			&cli.StringFlag{Name: "subset", Value: "warc", Usage: "partition `NAME` of the table"},
		},
		Run: runWriteIndex,
	}
}

func runWriteIndex(t *stage.Task) error {
	layout, err := cdx.ParseLayout(t.String("layout"))
	if err != nil {
		return stage.Usage("--layout: %v", err)
	}
	o := WriteOptions{
		Layout: layout,
		Lines:  t.Bool("lines"),
		Ranged: t.Bool("ranged"),
		Alone:  t.Bool("alone"),
		ZipNum: t.Bool("zipnum"),
		Crawl:  t.String("crawl"),
		Subset: t.String("subset"),
	}
	if t.Bool("parquet") {
		codec := cctable.Compression(t.String("codec"))
		if codec != cctable.Zstd && codec != cctable.Gzip {
			return stage.Usage("--codec %s: zstd or gzip is wanted", codec)
		}
		o.Table = &cctable.Options{Compression: codec, BloomFilter: t.Bool("bloom-filter"), Meta: layout == cdx.LayoutMeta}
	}
	return Write(t, o)
}
