package surt

import "bytes"

// validBoundary says whether a text may part a multipart body: up to 201 characters of
// ASCII, no blank at the end.
func validBoundary(boundary []byte) bool {
	for _, c := range boundary {
		if c < ' ' || c > '~' {
			return false
		}
	}
	n := len(boundary)
	return n > 0 && n <= 201 && boundary[n-1] != ' '
}

// appendMultipart appends the fields and files of a multipart body as parameters. It
// fails where the Content-Type has no boundary. Damage ends the body, as with
// Python's cgi.FieldStorage.
func appendMultipart(dst, contentType, body []byte) (out []byte, ok bool) {
	boundary, _ := parameterOf(contentType, "boundary")
	if !validBoundary(boundary) {
		return dst, false
	}
	next := append([]byte("--"), boundary...)
	last := append(bytes.Clone(next), "--"...)
	begin := len(dst)
	for len(body) > 0 {
		line := takeLine(&body)
		if bytes.Equal(bytes.TrimSpace(line), next) {
			break
		}
	}
	for more := true; more && len(body) > 0; {
		disposition := takeHeaders(&body)
		var value []byte
		value, more = takeValue(&body, next, last)
		name, named := parameterOf(disposition, "name")
		if !named {
			name = []byte("None")
		}
		if _, file := parameterOf(disposition, "filename"); !file {
			value = appendReplaced(nil, value)
		}
		dst = appendParameter(dst, begin, appendReplaced(nil, name), value)
		if len(dst)-begin > maxQuery {
			break
		}
	}
	return dst, true
}

// takeLine takes a line with its end off a text.
func takeLine(text *[]byte) []byte {
	end := bytes.IndexByte(*text, '\n') + 1
	if end == 0 {
		end = len(*text)
	}
	line := (*text)[:end]
	*text = (*text)[end:]
	return line
}

// takeHeaders takes the headers of a part off a text, with the empty line behind
// them, and gives the value of Content-Disposition.
func takeHeaders(text *[]byte) (disposition []byte) {
	const name = "content-disposition:"
	inside := false
	for len(*text) > 0 {
		line := takeLine(text)
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			break
		}
		switch {
		case line[0] == ' ' || line[0] == '\t':
			if inside {
				disposition = append(append(disposition, ' '), trimmed...)
			}
		case len(line) >= len(name) && bytes.EqualFold(line[:len(name)], []byte(name)):
			inside = true
			disposition = append([]byte(nil), bytes.TrimSpace(line[len(name):])...)
		default:
			inside = false
		}
	}
	return disposition
}

// takeValue takes a part's value off a text, with the boundary behind it, and says
// whether that one was not the last.
func takeValue(text *[]byte, next, last []byte) (value []byte, more bool) {
	all, length := *text, 0
	for len(*text) > 0 {
		line := takeLine(text)
		if bytes.HasPrefix(line, []byte("--")) {
			trimmed := bytes.TrimRight(line, " \t\r\n\v\f")
			more = bytes.Equal(trimmed, next)
			if more || bytes.Equal(trimmed, last) {
				break
			}
		}
		length += len(line)
	}
	value = bytes.TrimSuffix(all[:length], []byte("\n"))
	if len(value) < length {
		value = bytes.TrimSuffix(value, []byte("\r"))
	}
	return value, more
}

// parameterOf gives a parameter of a header's value, as in
// form-data; name="a"; filename="b".
func parameterOf(header []byte, name string) (value []byte, ok bool) {
	for {
		part, rest := cutUnquoted(header)
		if key, given, is := bytes.Cut(part, equals); is && bytes.EqualFold(bytes.TrimSpace(key), []byte(name)) {
			value, ok = unquoted(bytes.TrimSpace(given)), true
		}
		if rest == nil {
			return value, ok
		}
		header = rest
	}
}

// cutUnquoted parts a header's value at its first ";" outside of quotation marks;
// rest is nil where there is none.
func cutUnquoted(header []byte) (part, rest []byte) {
	quoted := false
	for i, c := range header {
		switch {
		case c == '"' && (i == 0 || header[i-1] != '\\'):
			quoted = !quoted
		case c == ';' && !quoted:
			return header[:i], header[i+1:]
		}
	}
	return header, nil
}

// unquoted gives a value without the quotation marks around it.
func unquoted(value []byte) []byte {
	n := len(value)
	if n < 2 || value[0] != '"' || value[n-1] != '"' {
		return value
	}
	value = bytes.ReplaceAll(value[1:n-1], []byte(`\\`), []byte(`\`))
	return bytes.ReplaceAll(value, []byte(`\"`), []byte(`"`))
}
