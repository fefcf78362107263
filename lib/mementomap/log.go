package mementomap

import (
	"bytes"
	"regexp"
)

var uriStart = regexp.MustCompile(`https?://`)

// logLine takes a line of an access log apart: URI and status, separated by a tab
// or a space, or the common log format with a URI in the request, also as a
// replay's path has it (/web/20200101000000/http://a.example/).
func logLine(line []byte) (uri []byte, status int, ok bool) {
	if i := bytes.IndexAny(line, " \t"); i > 0 && bytes.Contains(line[:i], []byte("://")) {
		field, _, _ := bytes.Cut(line[i+1:], []byte{line[i]})
		status, ok = statusOf(field)
		return line[:i], status, ok
	}
	// HOST - USER [TIME] "METHOD TARGET PROTOCOL" STATUS BYTES …
	_, rest, ok := bytes.Cut(line, []byte(`] "`))
	if !ok {
		return nil, 0, false
	}
	request, rest, ok := bytes.Cut(rest, []byte(`" `))
	if !ok {
		return nil, 0, false
	}
	fields := bytes.Fields(request)
	field, _, _ := bytes.Cut(rest, []byte{' '})
	if status, ok = statusOf(field); !ok || len(fields) < 2 {
		return nil, 0, false
	}
	// The first one: a replayed URI can have others in it.
	at := uriStart.FindIndex(fields[1])
	if at == nil {
		return nil, 0, false
	}
	return fields[1][at[0]:], status, true
}

func statusOf(field []byte) (int, bool) {
	if len(field) != 3 || !isStatus(field) {
		return 0, false
	}
	return int(field[0]-'0')*100 + int(field[1]-'0')*10 + int(field[2]-'0'), true
}
