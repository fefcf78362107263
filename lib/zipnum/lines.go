package zipnum

import "bytes"

// seek gives the offset of the first of sorted lines that is not below from; the
// text's length where all are.
func seek(text, from []byte) int {
	lo, hi := 0, len(text) // lines before lo are below, the one at hi is not
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := lo + bytes.LastIndexByte(text[lo:mid], '\n') + 1
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		if bytes.Compare(text[start:end], from) < 0 {
			lo = min(end+1, len(text))
		} else {
			hi = start
		}
	}
	return lo
}

// isHeader says whether a line of a sorted file holds no capture: a CDX header
// (" CDX N b a …", whatever its separator), one of CDXJ ("!meta {…}"), or nothing.
// A key can begin with "!" too; a timestamp follows it.
func isHeader(line []byte) bool {
	switch {
	case len(line) == 0:
		return true
	case line[0] > '!':
		return false
	case line[0] < '!':
		return len(line) > 4 && string(line[1:4]) == "CDX"
	}
	_, rest, _ := bytes.Cut(line, []byte{' '})
	return len(rest) < 4 || !digits(rest[:4])
}

func digits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
