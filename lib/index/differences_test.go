package index

import (
	"slices"
	"strings"

	"archivestream/lib/warc"
)

// An explanation is why our index differs from another tool's, and who is right by
// the specification: ours, theirs or either.
type explanation struct {
	right  string
	what   string
	covers func(*difference) bool
}

// known is the list of all differences between our index and those of cdxj-indexer
// 1.5.0 and pywb 2.10.0 on real files. The first one that covers a difference
// counts.
var known = []explanation{
	// Captures that only one of the two has.
	{"ours", "the tool stops at what it cannot read, and what stands behind it is lost", func(d *difference) bool {
		return d.theirs == nil && d.stopped != ""
	}},
	{"ours", "a record that is not all there, or has no date, is told and left out (ISO 28500 5.4: WARC-Date is mandatory); the tool takes a wrong length or date as it is", func(d *difference) bool {
		return d.ours == nil && (strings.Contains(d.fault, "truncated") || strings.Contains(d.fault, "no date"))
	}},
	{"ours", "Heritrix' metadata of type text/anvl stand under the page's own key and would hide it from replay; pywb leaves them out too", func(d *difference) bool {
		return d.ours == nil && d.isCdxj() && d.theirs.members["mime"] == "text/anvl"
	}},
	{"either", "pywb's cdx-indexer takes records of every type, also conversion and continuation; cdxj-indexer and we those of --records", func(d *difference) bool {
		return d.ours == nil && d.tool == "pywb" && slices.Contains([]string{"conversion", "continuation"}, d.kind)
	}},
	{"ours", "a record without a target URI has no key, and an index no place for it; cdxj-indexer gives all of them the key -", func(d *difference) bool {
		return d.ours == nil && d.isCdxj() && d.theirs.key == "-" && d.theirs.members["url"] == ""
	}},
	{"ours", "several records in one gzip member: no offset leads to any but the first; the tool gives negative offsets and stops", func(d *difference) bool {
		return d.ours == nil && strings.HasPrefix(d.theirs.members["offset"], "-")
	}},
	{"ours", "several records in one gzip member: the tool gives the first one a negative length", func(d *difference) bool {
		return d.field == "length" && d.theirs != nil && strings.HasPrefix(d.theirs.members["length"], "-")
	}},

	// Lines that cannot be trusted, and what hangs on them.
	{"ours", "the header's length is wrong: ours is what stands between the record's header and the next record", func(d *difference) bool {
		return d.theirs != nil && strings.Contains(d.fault, string(warc.BadLength)) && (d.field == "length" || d.field == "digest")
	}},
	{"ours", "ARC dates of 10 or 12 digits stand for the begin of the hour or minute, as for CDX-Writer; cdxj-indexer takes the end, pywb leaves them short", func(d *difference) bool {
		return d.field == "date" && strings.HasSuffix(d.file, ".arc.gz") && strings.TrimRight(d.ours.date, "0") == strings.TrimRight(prefixOf(d.theirs.date, d.ours.date), "0")
	}},
	{"ours", "the block does not begin with a status line (RFC 9112 4), so none of it is a head: no status, no type, all of it payload", func(d *difference) bool {
		return slices.Contains([]string{"status", "mime", "digest"}, d.field) && d.headless
	}},

	// Keys.
	{"ours", "Python's surt fails at the URL, and cdxj-indexer takes the URL itself for the key", func(d *difference) bool {
		return d.field == "key" && d.isCdxj() && d.theirs.key == d.theirs.members["url"]
	}},
	{"either", "a carriage return in a URL is %0D in key and URL, as pywb has it; cdxj-indexer writes it, and leaves it out of the key", func(d *difference) bool {
		return d.field == "key" && d.isCdxj() && strings.Contains(d.of(d.ours), "%0d")
	}},
	{"either", "replay asks for the key with the method for all but GET and HEAD; cdxj-indexer makes it for POST and PUT only", func(d *difference) bool {
		return d.tool == "cdxj-post" && (d.field == "key" || d.field == "method") && d.ours.members["method"] == "GETX"
	}},

	// Fields.
	{"ours", "spaces and control characters in a URL become %HH (RFC 3986 2.1); the tools do so with some of them", func(d *difference) bool {
		return (d.field == "url" || d.field == "key") && escaped(d.of(d.theirs)) == escaped(d.of(d.ours))
	}},
	{"either", "no media type: unk, as pywb and Common Crawl have it; cdxj-indexer leaves the member out", func(d *difference) bool {
		return d.field == "mime" && d.of(d.ours) == "unk" && d.of(d.theirs) == ""
	}},
	{"ours", "a response that is no HTTP message has the type of its record or ARC line (dns: is text/dns); cdxj-indexer looks for an HTTP field only", func(d *difference) bool {
		return d.field == "mime" && d.isCdxj() && d.of(d.theirs) == ""
	}},
	{"either", "pywb takes the type of the ARC line, which is the crawler's copy of the HTTP field, also where that is no type", func(d *difference) bool {
		return d.field == "mime" && d.tool == "pywb" && strings.HasSuffix(strings.TrimSuffix(d.file, ".gz"), ".arc")
	}},
	{"ours", "the content type application/http is that of the block, not of a payload without one", func(d *difference) bool {
		return d.field == "mime" && d.of(d.theirs) == "application/http"
	}},
	{"either", "pywb gives revisits no status, by convention; cdxj-indexer and we the one of their head", func(d *difference) bool {
		return d.field == "status" && d.tool == "pywb" && d.of(d.theirs) == "" && d.ours.members["mime"] == "warc/revisit"
	}},
	{"ours", "pywb makes up status 200 for what is no HTTP message", func(d *difference) bool {
		return d.field == "status" && d.tool == "pywb" && d.of(d.ours) == "" && d.of(d.theirs) == "200"
	}},
	{"ours", "with --post-append cdxj-indexer computes digests of what it has read already, which is nothing", func(d *difference) bool {
		return d.field == "digest" && d.tool == "cdxj-post" && d.of(d.theirs) == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
	}},
	{"ours", "the declared payload digest cannot be read: ours is computed", func(d *difference) bool {
		return d.field == "digest" && !usable(d.of(d.theirs))
	}},
}

// prefixOf gives as much of a date as it has in common with another, to the hour
// at least.
func prefixOf(date, other string) string {
	for n := min(len(date), len(other)); n >= 10; n-- {
		if date[:n] == other[:n] {
			return date[:n]
		}
	}
	return ""
}

// escaped gives a URL as the tools would have it that escape everything.
func escaped(url string) string {
	var m memory
	return string(m.url(url))
}
