package surt

import "bytes"

// Parts of URLs that name the session of a visitor, in lower case.
var (
	aspx       = []byte(".aspx")
	cookieless = []byte("/(")
	idOf       = []byte("id")
	cfid       = []byte("cfid=")
	cftoken    = []byte("&cftoken=")

	// querySessions are the names of session ids in queries, in the order in which
	// they are taken out.
	querySessions = [][]byte{[]byte("jsessionid="), []byte("phpsessid="), []byte("sid="), []byte("aspsessionid")}
)

// stripPathSession takes the session ids of ASP.NET out of a path in lower case,
// in place, and gives the length that is left. They are the segments
// (s(IDENTIFIER)) and (IDENTIFIER) somewhere before a name in .aspx.
func stripPathSession(path []byte) int {
	n := len(path)
	if bytes.IndexByte(path, '(') < 0 || !bytes.Contains(path, aspx) {
		return n
	}
	n = stripSegment(path, true)
	return stripSegment(path[:n], false)
}

// stripSegment takes out the last segment that is a session id, with tags or
// without, and stands before a name in .aspx, and gives the path's length then.
func stripSegment(path []byte, tagged bool) int {
	end, limit := len(path), len(path)
	for {
		i := bytes.LastIndex(path[:end], cookieless)
		if i < 0 {
			return len(path)
		}
		end = i + 1
		length := bareSession(path[end:])
		if tagged {
			length = taggedSession(path[end:])
		}
		if length < 0 {
			continue
		}
		from := end + length
		if from+1 < limit {
			name := bytes.Index(path[from+1:limit], aspx)
			if name >= 0 && bytes.IndexByte(path[from:from+1+name], '?') < 0 {
				return end + copy(path[end:], path[from:])
			}
		}
		// What does not help this segment helps none before it.
		limit = min(limit, from+len(aspx))
	}
}

// bareSession gives the length of (IDENTIFIER)/, or -1.
func bareSession(segment []byte) int {
	if n := alphanumeric(segment[1:], 24); n && hasAt(segment, 25, ")/") {
		return 27
	}
	return -1
}

// taggedSession gives the length of (s(IDENTIFIER))/ with any letters and any
// number of identifiers, or -1.
func taggedSession(segment []byte) int {
	const each = len("s(") + 24 + len(")")
	n := 1
	for len(segment) >= n+each && isLetter(segment[n]) && segment[n+1] == '(' &&
		alphanumeric(segment[n+2:], 24) && segment[n+each-1] == ')' {
		n += each
	}
	if n == 1 || !hasAt(segment, n, ")/") {
		return -1
	}
	return n + 2
}

// stripQuerySessions takes session ids out of a query in lower case, in place, and
// gives the length that is left. Of each kind the last one goes, with the "&"
// behind it. Names may be the end of others, as with sid=.
func stripQuerySessions(query []byte) int {
	if !bytes.Contains(query, idOf) {
		return len(query)
	}
	for kind, name := range querySessions {
		for end := len(query); ; {
			i := bytes.LastIndex(query[:end], name)
			if i < 0 {
				break
			}
			from := i + len(name)
			if n := sessionLength(query[from:], kind); n >= 0 && (from+n == len(query) || query[from+n] == '&') {
				query = cutParameter(query, i, from+n)
				break
			}
			end = from - 1
		}
	}
	return stripColdFusion(query)
}

// stripColdFusion takes out cfid=…&cftoken=….
func stripColdFusion(query []byte) int {
	for end := len(query); ; {
		token := bytes.LastIndex(query[:end], cftoken)
		if token < 0 {
			return len(query)
		}
		value := token + len(cftoken)
		parameter := query[bytes.LastIndexByte(query[:token], '&')+1 : token]
		id := -1
		if len(parameter) > 0 {
			id = bytes.LastIndex(parameter[:len(parameter)-1], cfid)
		}
		if id >= 0 && value < len(query) && query[value] != '&' {
			to := bytes.IndexByte(query[value:], '&')
			if to < 0 {
				to = len(query) - value
			}
			return len(cutParameter(query, token-len(parameter)+id, value+to))
		}
		end = token + len(cftoken) - 1
	}
}

// cutParameter takes query[from:to] out, and the "&" behind it.
func cutParameter(query []byte, from, to int) []byte {
	if to < len(query) {
		to++
	}
	return query[:from+copy(query[from:], query[to:])]
}

// sessionLength gives the length of the session id that text begins with, or -1: 32
// letters and digits, or for the last kind 8 letters, "=" and 24 letters.
func sessionLength(text []byte, kind int) int {
	if kind < len(querySessions)-1 {
		if alphanumeric(text, 32) {
			return 32
		}
		return -1
	}
	const length = 8 + 1 + 24
	if len(text) < length || text[8] != '=' {
		return -1
	}
	for i, c := range text[:length] {
		if i != 8 && !isLetter(c) {
			return -1
		}
	}
	return length
}

// alphanumeric says whether text begins with n letters and digits.
func alphanumeric(text []byte, n int) bool {
	if len(text) < n {
		return false
	}
	for _, c := range text[:n] {
		if !isLetter(c) && class[c] != digit {
			return false
		}
	}
	return true
}

// isLetter says whether a byte is a letter of ASCII in lower case.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// hasAt says whether a part stands at a place of a text.
func hasAt(text []byte, at int, part string) bool {
	return len(text) >= at+len(part) && string(text[at:at+len(part)]) == part
}
