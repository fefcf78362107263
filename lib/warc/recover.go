package warc

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"archivestream/lib/buffers"
)

const (
	// searchWindow is what one read of a search asks for, in bytes.
	searchWindow = 256 << 10
	// arcLineLimit is how much of an ARC line a search looks at, in bytes. Longer
	// ones are read where they are expected, but not found behind damage.
	arcLineLimit = 4 << 10
	// headerSize is that of a gzip header without optional fields.
	headerSize = 10
)

// endsHere says whether what follows a block and its blank lines is another
// record, further blank lines or nothing. Behind a block without blank lines a
// line that merely has a URL is text whose length is wrong, such as a list of
// links, and no record; nor is one whose scheme nobody knows, such as ttp, which
// begins in the middle of a line.
func endsHere(p []byte, blank bool) bool {
	p = bytes.TrimLeft(p, "\r\n")
	switch {
	case len(p) == 0 || startsVersion(p):
		return true
	case blank:
		return mayStartRecord(p)
	case !knownScheme(p):
		return false
	}
	line, _, _ := bytes.Cut(p, []byte("\n"))
	record, err := parseHead(line, nil)
	return startsARC(p) || err == errLooseARC && record.ContentLength >= 0
}

// withinARCLine says whether a place is in the middle of an ARC record line, where a
// URL in the URL looks like a record's begin: the length that leads there is wrong.
func withinARCLine(before, behind []byte) bool {
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	if len(line) == 0 || !knownScheme(line) {
		return false
	}
	end := bytes.IndexByte(behind, '\n')
	return end >= 0 && startsARC(append(bytes.Clone(line), behind[:end+1]...))
}

// spoiltEnding gives where the next record begins in what follows a block, if
// that is where the blank lines should end but something else stands in their
// place; 0 if it does not. Of several bytes one at least is a line end still.
func spoiltEnding(p []byte, format Format) int {
	for n := 1; n <= 4 && n < len(p); n++ {
		if startsRecord(p[n:], format) && (startsVersion(p[n:]) || knownScheme(p[n:])) && (n == 1 || bytes.ContainsAny(p[:n], "\r\n")) {
			return n
		}
	}
	return 0
}

// schemes are those of URLs that crawlers have written records for.
var schemes = []string{
	"http", "https", "ftp", "ftps", "sftp", "dns", "whois", "gopher", "rtsp", "mms", "nntp", "news", "file", "data",
	"urn", "metadata", "filedesc", "warcinfo", "screenshot", "mailto", "javascript", "ws", "wss",
}

// knownScheme says whether p begins with a URL of a scheme that crawlers use.
func knownScheme(p []byte) bool {
	n := schemeOf(p)
	return n > 0 && slices.ContainsFunc(schemes, func(s string) bool { return len(s) == n && strings.EqualFold(s, string(p[:n])) })
}

// mayStartRecord says whether a record begins here, if there is reason to expect
// one: also a version line without a version and a line with a URL count.
func mayStartRecord(p []byte) bool {
	if startsRecord(p, UnknownFormat) || startsWARC(p) {
		return true
	}
	scheme := schemeOf(p)
	return scheme > 0 && bytes.HasPrefix(p[scheme:], []byte("://"))
}

// startsRecord says whether p begins with a version line of WARC or with what
// can be an ARC line; a format leaves the other out.
func startsRecord(p []byte, format Format) bool {
	if format != ARC && startsVersion(p) {
		return true
	}
	return format != WARC && startsARC(p)
}

// startsVersion wants more than the name: WARC/ and a digit.
func startsVersion(p []byte) bool {
	return startsWARC(p) && len(p) > 5 && p[5] >= '0' && p[5] <= '9'
}

// startsARC says whether p begins with an ARC record line, of which address and
// date are wanted: there is nothing else to know it by.
func startsARC(p []byte) bool {
	if schemeOf(p) == 0 {
		return false
	}
	end := bytes.IndexByte(p, '\n')
	if end < 0 || end > arcLineLimit {
		return false
	}
	// Compressed bytes that a line end stands before and behind have others of
	// these in between. Real lines have carriage returns, rarely.
	if bytes.ContainsFunc(p[:end], func(c rune) bool { return c < ' ' && c != '\t' && c != '\r' }) {
		return false
	}
	// Fields of HTTP heads, such as dates, come near to a loose line.
	_, strict := placeARC(bytes.TrimRight(p[:end], "\r"))
	return strict
}

// schemeOf gives the length of the URL scheme (RFC 3986, section 3.1) that p
// begins with, the colon behind it left out; 0 if there is none.
func schemeOf(p []byte) int {
	for i, c := range p[:min(len(p), 32)] {
		switch {
		case c == ':':
			return i
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		default:
			return 0
		}
	}
	return 0
}

// findRecord gives where in data, at from or behind, the next record begins at
// the start of a line; len(data) if none does. A line before it may end in CR alone,
// as those of a damaged record do.
func findRecord(data []byte, from int, format Format) int {
	for at := from; at < len(data); {
		if (at == 0 || data[at-1] == '\n') && startsRecord(data[at:], format) {
			return at
		}
		line := data[at:]
		i := bytes.IndexByte(line, '\n')
		if i >= 0 {
			line = line[:i]
		}
		if n := afterCR(line); n > 0 && format != ARC {
			return at + n
		}
		if i < 0 {
			break
		}
		at += i + 1
	}
	return len(data)
}

// afterCR returns where in a line a version line of WARC begins, right after a CR; 0 if
// none does.
func afterCR(line []byte) int {
	for at := 0; ; {
		i := bytes.Index(line[at:], []byte("\rWARC/"))
		if i < 0 {
			return 0
		}
		if at += i + 1; startsVersion(line[at:]) {
			return at
		}
	}
}

// FindMember gives the offset of the first gzip member at from or behind that
// an ARC or WARC record begins in; size if there is none.
func FindMember(file io.ReaderAt, size, from int64) (int64, error) {
	r := NewReader(file, size, Options{Offset: from})
	return r.find(from, false)
}

// findStart gives the offset of the next record or gzip member, r.size if there
// is none.
func (r *Reader) findStart(from int64) (int64, error) { return r.find(from, true) }

// find searches in windows. One begins a byte before what it is searched for, so
// that the start of a line is seen, and overlaps the next by what has to be seen
// of a candidate.
func (r *Reader) find(from int64, plain bool) (int64, error) {
	if cap(r.search) < searchWindow {
		r.search = make([]byte, searchWindow)
	}
	buffers.Spoil(r.search)
	buf := r.search[:searchWindow]
	for from < r.size {
		base := max(from-1, 0)
		n, err := r.file.ReadAt(buf[:min(int64(len(buf)), r.size-base)], base)
		if err != nil && err != io.EOF {
			return 0, err
		}
		w := window{data: buf[:n], base: base, limit: n - arcLineLimit}
		last := base+int64(n) >= r.size
		if last {
			w.limit = n
		}
		for at := int(from - base); at < w.limit; {
			next, isMember := w.candidate(at, plain, r.format)
			if next >= w.limit {
				break
			}
			if !isMember || r.plausibleMember(base+int64(next)) {
				return base + int64(next), nil
			}
			at = next + 1
		}
		if last || n == 0 {
			break
		}
		from = base + int64(w.limit)
	}
	return r.size, nil
}

// A window is the part of a file that is being searched.
type window struct {
	data  []byte
	base  int64 // where it begins in the file
	limit int   // candidates from here on are left to the next window
}

// candidate gives where in the window, at the place or behind, a gzip header or,
// at the start of a line, a record may begin.
func (w *window) candidate(at int, plain bool, format Format) (next int, isMember bool) {
	next = len(w.data)
	if i := bytes.Index(w.data[at:], []byte{0x1f, 0x8b, 8}); i >= 0 {
		next, isMember = at+i, true
	}
	if !plain {
		return next, isMember
	}
	if format != ARC {
		if p := w.versionLine(at, next); p < next {
			next, isMember = p, false
		}
	}
	if format != WARC {
		if p := w.arcLine(at, next); p < next {
			next, isMember = p, false
		}
	}
	return next, isMember
}

func (w *window) startsLine(p int) bool {
	return p == 0 && w.base == 0 || p > 0 && w.data[p-1] == '\n'
}

// versionLine finds the first version line of WARC in [at, end).
func (w *window) versionLine(at, end int) int {
	for p := at; p < end; {
		i := bytes.IndexByte(w.data[p:end], '/')
		if i < 0 {
			break
		}
		if start := p + i - len("WARC"); start >= at && (w.startsLine(start) || w.data[start-1] == '\r') && startsVersion(w.data[start:]) {
			return start
		}
		p += i + 1
	}
	return end
}

// arcLine finds the first record line of ARC in [at, end).
func (w *window) arcLine(at, end int) int {
	for p := at; p < end; {
		if w.startsLine(p) && startsARC(w.data[p:]) {
			return p
		}
		i := bytes.IndexByte(w.data[p:end], '\n')
		if i < 0 {
			break
		}
		p += i + 1
	}
	return end
}

// plausibleMember says whether a gzip member begins at the offset that a record
// begins in: its header is sound (RFC 1952, section 2.3) and its first bytes
// inflate to the begin of a record.
func (r *Reader) plausibleMember(offset int64) bool {
	var h [headerSize]byte
	if n, _ := r.file.ReadAt(h[:], offset); n < headerSize {
		return false
	}
	if h[0] != 0x1f || h[1] != 0x8b || h[2] != 8 || h[3]&0xe0 != 0 {
		return false
	}
	if r.probe.seek(r.file, r.size, offset) != nil {
		return false
	}
	source, compression, err := r.probe.source(offset)
	if err != nil || compression == Plain {
		return false
	}
	begin, _ := source.Peek(arcLineLimit)
	return startsRecord(bytes.TrimLeft(begin, "\r\n"), UnknownFormat)
}
