package cctable

import "bytes"

// A Place is what the path of an archive file says about it. Empty where the
// path does not say it, but for Subset.
type Place struct{ Crawl, Segment, Subset string }

// PlaceOf takes a path of the form …/CRAWL/segments/SEGMENT/SUBSET/FILE apart.
// The subsets are those of Common Crawl: robotstxt (answers for robots.txt),
// crawldiagnostics (redirects, errors) and warc, which is that of all archive
// files whose path does not name one of the others. Status and URL do not
// decide it.
func PlaceOf(filename string) Place {
	crawl, segment, subset := place([]byte(filename))
	return Place{string(crawl), string(segment), string(subset)}
}

// Subset gives the subset in which the captures of an archive file lie.
func Subset(filename string) string { return PlaceOf(filename).Subset }

var (
	subsetWARC        = []byte("warc")
	subsetDiagnostics = []byte("crawldiagnostics")
	subsetRobots      = []byte("robotstxt")
)

func place(filename []byte) (crawl, segment, subset []byte) {
	const folder = "segments/"
	rest, inside := bytes.CutPrefix(filename, []byte(folder))
	if !inside {
		var before []byte
		if before, rest, inside = bytes.Cut(filename, []byte("/"+folder)); !inside {
			return nil, nil, subsetWARC
		}
		crawl = before[bytes.LastIndexByte(before, '/')+1:]
	}
	segment, rest, inside = bytes.Cut(rest, []byte("/"))
	if !inside { // the file lies beside the segments
		return crawl, nil, subsetWARC
	}
	subset, _, inside = bytes.Cut(rest, []byte("/"))
	switch {
	case inside && bytes.Equal(subset, subsetDiagnostics):
		return crawl, segment, subsetDiagnostics
	case inside && bytes.Equal(subset, subsetRobots):
		return crawl, segment, subsetRobots
	}
	return crawl, segment, subsetWARC
}
