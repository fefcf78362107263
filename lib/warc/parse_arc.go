package warc

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// errLooseARC is the error of an ARC record line whose address or date does not
// look like one. Where a record is expected it is taken all the same.
var errLooseARC = errors.New("ARC record line with an odd address or date")

// parseARC parses a URL record line: URL, IP address, date, content type and
// length in version 1; result code, checksum, location, offset and file name
// before the length in version 2. Wild forms that are taken: spaces in URLs and
// content types, a missing content type, dates of other lengths, either
// version's line in a file of the other; loosely, with errLooseARC, address and
// date exchanged, a missing address, and what does not look like either.
//
// The header's fields are put into header[:0].
func parseARC(raw []byte, header Header) (*Record, error) {
	line := strings.TrimRight(string(raw), "\r\n")
	p, strict := placeARC(line)
	if !strict {
		var ok bool
		if p, ok = placeLooseARC(line); !ok {
			return nil, fmt.Errorf("neither a WARC version line nor an ARC record line: %q", shortened(line))
		}
	}
	a := &ARCLine{Offset: -1, URL: decoded(line[:p.url]), IP: line[p.ip:p.ipEnd], Date: line[p.date:p.dateEnd]}
	length := line[p.length:]
	var lengthError error
	if a.Length, lengthError = parseNumber("length", length); lengthError != nil {
		lengthError = fmt.Errorf("ARC record line: %w: %q", lengthError, shortened(line))
		a.Length = -1
	}
	version := "1"
	behind := strings.TrimPrefix(line[p.behind:p.length-1], " ")
	// Version 2 has six fields between the date and the length, of which the
	// last but one is a number.
	if strings.Count(behind, " ") >= 5 {
		b := strings.Split(behind, " ")
		if n := len(b); digits(b[n-2]) {
			version = "2"
			a.ResultCode, a.Checksum, a.Location, a.Filename = b[n-5], b[n-4], b[n-3], b[n-1]
			if offset, err := parseNumber("offset", b[n-2]); err == nil {
				a.Offset = offset
			}
			behind = strings.Join(b[:n-5], " ")
		}
	}
	a.ContentType = decoded(behind)
	r := &Record{Format: ARC, Version: version, Head: raw, ARC: a, ContentLength: a.Length}
	r.Type = arcType(a.URL)
	r.Header = append(header[:0],
		Field{"WARC-Type", r.Type}, Field{"WARC-Target-URI", a.URL},
		Field{"WARC-Date", warcDate(a.Date)}, Field{"WARC-IP-Address", a.IP},
		Field{"Content-Type", a.ContentType}, Field{"Content-Length", length})
	switch {
	case lengthError != nil && !strict:
		return r, fmt.Errorf("%w (%w)", lengthError, errLooseARC)
	case lengthError != nil:
		return r, lengthError
	case !strict:
		return r, errLooseARC
	}
	return r, nil
}

// arcPlaces says where the fields of an ARC line stand that the others are
// found by: the URL ends, address and date begin and end, what is behind them and
// the length begin.
type arcPlaces struct{ url, ip, ipEnd, date, dateEnd, behind, length int }

// placeARC finds the date, which an address stands before, from the right: what
// stands before them may hold spaces, what is behind as well. It is for lines of
// records and for what may be one, and therefore takes either type.
func placeARC[T string | []byte](line T) (p arcPlaces, ok bool) {
	p.length = lastSpace(line, len(line)) + 1
	for p.dateEnd = p.length - 1; p.dateEnd > 0; p.dateEnd = p.date - 1 {
		p.date = lastSpace(line, p.dateEnd) + 1
		p.ipEnd = p.date - 1
		p.url = lastSpace(line, max(p.ipEnd, 0))
		p.ip = p.url + 1
		if p.url < 0 {
			break
		}
		if soundARCDate(line[p.date:p.dateEnd]) && soundIP(line[p.ip:p.ipEnd]) {
			p.behind = p.dateEnd
			return p, true
		}
	}
	return p, false
}

// placeLooseARC takes what stands for address and date where they do not look
// like it. By their places they are the third and fourth field from the end.
func placeLooseARC(line string) (p arcPlaces, ok bool) {
	starts := []int{0}
	for i := range len(line) {
		if line[i] == ' ' {
			starts = append(starts, i+1)
		}
	}
	n := len(starts)
	end := func(i int) int { return starts[i+1] - 1 } // of all but the last
	field := func(i int) string { return line[starts[i]:end(i)] }
	if n < 4 || !strings.Contains(field(0), ":") {
		return p, false
	}
	ip, date := n-4, n-3
	for i := n - 2; i >= 1; i-- {
		if !soundARCDate(field(i)) {
			continue
		}
		if ip, date = i-1, i; i+1 < n-1 && soundIP(field(i+1)) {
			ip = i + 1 // exchanged, as a crawl of 2003 did
		}
		break
	}
	switch {
	case date == 1 && ip == 0 && soundARCDate(field(1)): // no address
		ip = 1
		p.date, p.dateEnd = starts[1], end(1)
	case min(ip, date) < 1:
		return p, false
	default:
		p.ip, p.ipEnd, p.date, p.dateEnd = starts[ip], end(ip), starts[date], end(date)
	}
	p.url, p.behind, p.length = end(min(ip, date)-1), end(max(ip, date)), starts[n-1]
	return p, true
}

// lastSpace gives where the last space before end stands, -1 if there is none.
func lastSpace[T string | []byte](line T, end int) int {
	for i := end - 1; i >= 0; i-- {
		if line[i] == ' ' {
			return i
		}
	}
	return -1
}

func arcType(url string) string {
	scheme, _, _ := strings.Cut(url, ":")
	switch strings.ToLower(scheme) {
	case "filedesc":
		return Warcinfo
	case "http", "https":
		return Response
	}
	return Resource
}

// soundARCDate accepts what files in the wild have for 14 digits: 10 to 18, also
// with text behind them.
func soundARCDate[T string | []byte](s T) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n >= 10 && n <= 18 && len(s) <= 40
}

// soundIP accepts addresses of both versions and the "-" or "0.0.0.0" of those
// that were not known.
func soundIP[T string | []byte](s T) bool {
	if len(s) == 1 && s[0] == '-' {
		return true
	}
	separators := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' || c == ':':
			separators++
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return separators >= 2
}

// warcDate turns an ARC date into that of WARC, to the second; empty where it is
// no date.
func warcDate(arc string) string {
	t, ok := arcTime(arc)
	if !ok {
		return ""
	}
	return t.Format(time.RFC3339)
}
