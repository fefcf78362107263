// Package inputs tells what files are: by the bytes that they begin with and by their
// first lines, inflated where they are gzip, never by their names.
//
// Some kinds cannot be mistaken: archives, compressed and binary files, HTML, indexes
// with a header or with JSON objects. Others are lines of a few fields, and one file
// can be of several such kinds: a list of captures has edges too. Fits therefore asks
// for the kinds that a job takes, Kind names the likeliest one.
package inputs

import "strings"

// A Kind is what a file is, or a set of such kinds.
type Kind uint32

// The kinds that jobs read.
const (
	ARC       Kind = 1 << iota
	WARC           // also WAT and WET
	CDX            // with or without a header line
	CDXJ           // key, timestamp, JSON object
	Cluster        // cluster.idx of a ZipNum cluster
	Locations      // cluster.loc of one
	Captures       // URL, archive, offset, length, separated by tabs
	Documents      // JSON Lines: an object on each line
	Map            // UKVS, a MementoMap
	Log            // access log
	Links          // links between hosts, as jobs/derive.sh lists them
	Edges          // two ids on a line, separated by a tab
	Text           // other lines
	Empty          // nothing, also as gzip
)

// The kinds that no job reads.
const (
	Zstandard Kind = 1 << (iota + 16)
	Bzip2
	XZ
	Zip
	Parquet
	PDF
	HTML
	Image
	Damaged // gzip that cannot be inflated
	Binary
)

// names of kinds, in the order in which a message lists them.
var names = []struct {
	kind Kind
	name string
}{
	{ARC, "ARC"}, {WARC, "WARC"}, {CDX, "CDX"}, {CDXJ, "CDXJ"}, {Cluster, "the index of a ZipNum cluster"},
	{Locations, "the locations of a ZipNum cluster"}, {Captures, "a list of captures"}, {Documents, "JSON Lines"},
	{Map, "a MementoMap"}, {Log, "an access log"}, {Links, "link lines"}, {Edges, "edges"}, {Text, "text"}, {Empty, "an empty file"},
	{Zstandard, "Zstandard"}, {Bzip2, "bzip2"}, {XZ, "xz"}, {Zip, "ZIP"}, {Parquet, "Parquet"}, {PDF, "PDF"}, {HTML, "HTML"},
	{Image, "an image"}, {Damaged, "gzip that cannot be inflated"}, {Binary, "binary data"},
}

// String names a kind, or those of a set.
func (k Kind) String() string {
	var list []string
	for _, n := range names {
		if k&n.kind != 0 {
			list = append(list, n.name)
		}
	}
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " or " + list[n-1]
	}
	return strings.Join(list, "")
}

// sure are the kinds that are not mistaken for another one.
const sure = ARC | WARC | CDXJ | Cluster | Documents | Empty |
	Zstandard | Bzip2 | XZ | Zip | Parquet | PDF | HTML | Image | Damaged | Binary

// magics are what binary files begin with.
var magics = []struct {
	magic string
	kind  Kind
}{
	{"\x28\xb5\x2f\xfd", Zstandard}, {"\x5d\x2a\x4d\x18", Zstandard}, // a frame, the dictionary of a .warc.zst
	{"BZh", Bzip2}, {"\xfd7zXZ\x00", XZ}, {"PK\x03\x04", Zip}, {"PAR1", Parquet}, {"%PDF-", PDF},
	{"\x89PNG\r\n", Image}, {"\xff\xd8\xff", Image}, {"GIF8", Image},
	{"WARC/", WARC}, {"filedesc://", ARC}, {`!meta 0 {"format": "cdxj-gzip`, Cluster}, // of a WACZ
}
