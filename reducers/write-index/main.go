// Command write-index writes sorted index lines: as text, as ZipNum shard and as
// part of a Parquet table.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/cctable"
	"archivestream/lib/cdx"
	"archivestream/lib/index"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
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
	Run: run,
}

func run(t *stage.Task) error {
	layout, err := cdx.ParseLayout(t.String("layout"))
	if err != nil {
		return stage.Usage("--layout: %v", err)
	}
	o := index.WriteOptions{
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
	return index.Write(t, o)
}
