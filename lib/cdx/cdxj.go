package cdx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

func (c *Capture) parseCDXJ(line []byte) error {
	i := bytes.IndexByte(line, ' ')
	j := -1
	if i >= 0 {
		j = bytes.IndexByte(line[i+1:], ' ')
	}
	if j < 0 {
		return errors.New("not a CDXJ line: key, timestamp and a JSON object are wanted")
	}
	c.Key, c.Timestamp, c.object = line[:i], line[i+1:i+1+j], line[i+2+j:]
	return members(c.object, func(name, raw []byte) error {
		c.keep(name, raw)
		var target *[]byte
		switch string(name) {
		case "url":
			target = &c.URL
		case "mime":
			target = &c.Mime
		case "status":
			target = &c.Status
		case "digest":
			target = &c.Digest
		case "redirect":
			target = &c.Redirect
		case "robotflags":
			target = &c.Meta
		case "filename":
			target = &c.Filename
		case "mime-detected":
			target = &c.MimeDetected
		case "charset":
			target = &c.Charset
		case "languages":
			target = &c.Languages
		case "truncated":
			target = &c.Truncated
		case "puid":
			target = &c.PUID
		case "soft-404-detected":
			target = &c.Soft404
		case "requestBody":
			target = &c.RequestBody
		case "method":
			target = &c.Method
		case "offset", "length":
			text, err := text(raw)
			if err != nil {
				return err
			}
			if string(name) == "offset" {
				c.Offset, err = number("offset", text)
			} else {
				c.Length, err = optionalNumber("length", text)
			}
			return err
		default:
			return nil
		}
		var err error
		*target, err = text(raw)
		return err
	})
}

// A member is a member of a JSON object: its name between the quotes and its
// value, both as written.
type member struct{ name, raw []byte }

// keep remembers a member for AppendCDXJ, unless it says where the capture lies.
func (c *Capture) keep(name, raw []byte) {
	switch string(name) {
	case "offset", "length", "filename":
	default:
		c.members = append(c.members, member{name, raw})
	}
}

// unique returns the members that are kept: of those of one name the last, as all
// readers take them, and none that says where the capture lies by a name with escapes.
func (c *Capture) unique() []member {
	if c.isPlain() {
		return c.members
	}
	last := map[string]int{}
	for i, m := range c.members {
		last[m.plainName()] = i
	}
	for _, place := range []string{"offset", "length", "filename"} {
		last[place] = -1
	}
	var unique []member
	for i, m := range c.members {
		if last[m.plainName()] == i {
			unique = append(unique, m)
		}
	}
	return unique
}

// isPlain reports whether the members are few, and their names different ones without
// escapes.
func (c *Capture) isPlain() bool {
	if len(c.members) > 32 {
		return false
	}
	for i, m := range c.members {
		if bytes.IndexByte(m.name, '\\') >= 0 {
			return false
		}
		for _, other := range c.members[:i] {
			if bytes.Equal(m.name, other.name) {
				return false
			}
		}
	}
	return true
}

// plainName returns a member's name without escapes.
func (m member) plainName() string {
	if bytes.IndexByte(m.name, '\\') < 0 {
		return string(m.name)
	}
	name, _ := text([]byte(`"` + string(m.name) + `"`))
	return string(name)
}

// AppendCDXJ appends the capture's index line for the place where it now lies,
// without a line feed. Offset and length are in bytes.
func (c *Capture) AppendCDXJ(dst []byte, filename string, offset, length int64) []byte {
	dst = append(dst, c.Key...)
	dst = append(dst, ' ')
	dst = append(dst, c.Timestamp...)
	dst = append(dst, " {"...)
	first := true
	open := func(name []byte) {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, `": `...)
	}
	if c.object != nil {
		for _, m := range c.unique() {
			open(m.name)
			dst = appendOneLine(dst, m.raw)
		}
	} else {
		for _, f := range []struct {
			name  string
			value []byte
		}{{"url", c.URL}, {"mime", c.Mime}, {"status", c.Status}, {"digest", c.Digest}, {"redirect", c.Redirect}, {"robotflags", c.Meta}} {
			if len(f.value) > 0 {
				open([]byte(f.name))
				dst = appendString(dst, f.value)
			}
		}
	}
	open([]byte("length"))
	dst = append(strconv.AppendInt(append(dst, '"'), length, 10), '"')
	open([]byte("offset"))
	dst = append(strconv.AppendInt(append(dst, '"'), offset, 10), '"')
	open([]byte("filename"))
	dst = appendString(dst, []byte(filename))
	return append(dst, '}')
}

// appendOneLine appends a JSON value without the control characters that may
// stand between the parts of a nested one.
func appendOneLine(dst, raw []byte) []byte {
	if (raw[0] == '{' || raw[0] == '[') && bytes.ContainsAny(raw, "\t\r\n") {
		var b bytes.Buffer
		if json.Compact(&b, raw) == nil {
			raw = b.Bytes()
		}
	}
	return append(dst, raw...)
}

// appendString appends a JSON string. Bytes that are not UTF-8 become U+FFFD,
// since JSON can hold nothing else.
func appendString(dst, s []byte) []byte {
	for _, b := range s {
		if b < 0x20 || b == '"' || b == '\\' || b >= 0x80 {
			var buf bytes.Buffer
			e := json.NewEncoder(&buf)
			e.SetEscapeHTML(false)
			_ = e.Encode(string(s)) // a string is always encoded
			return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// text gives the characters of a JSON string, or a number as it is written.
func text(raw []byte) ([]byte, error) {
	if len(raw) == 0 || raw[0] != '"' {
		if string(raw) == "null" {
			return nil, nil
		}
		return raw, nil
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner, nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("json string %s: %w", strconv.Quote(shorten(raw)), err)
	}
	return []byte(s), nil
}

// members calls f with the name (between its quotes, escapes as written) and
// the value (as written, without white space around it) of each member of a
// JSON object, in order. Only the members that the caller takes apart are
// checked further.
func members(object []byte, f func(name, raw []byte) error) error {
	p := skipSpace(object)
	if len(p) == 0 || p[0] != '{' {
		return errors.New("json: no object")
	}
	p = skipSpace(p[1:])
	if len(p) > 0 && p[0] == '}' {
		return trailing(p[1:])
	}
	for {
		name, rest, err := scanString(p)
		if err != nil {
			return err
		}
		if p = skipSpace(rest); len(p) == 0 || p[0] != ':' {
			return errors.New("json: no colon behind a name")
		}
		p = skipSpace(p[1:])
		raw, rest, err := scanValue(p)
		if err != nil {
			return err
		}
		if err := f(name[1:len(name)-1], raw); err != nil {
			return err
		}
		p = skipSpace(rest)
		switch {
		case len(p) > 0 && p[0] == ',':
			p = skipSpace(p[1:])
		case len(p) > 0 && p[0] == '}':
			return trailing(p[1:])
		default:
			return errors.New("json: the object does not end")
		}
	}
}

func trailing(p []byte) error {
	if len(skipSpace(p)) > 0 {
		return errors.New("json: text behind the object")
	}
	return nil
}

func skipSpace(p []byte) []byte {
	for len(p) > 0 && (p[0] == ' ' || p[0] == '\t' || p[0] == '\r' || p[0] == '\n') {
		p = p[1:]
	}
	return p
}

// scanString parts a JSON string with its quotes from what follows it.
func scanString(p []byte) (s, rest []byte, err error) {
	if len(p) == 0 || p[0] != '"' {
		return nil, nil, errors.New("json: no string where one is wanted")
	}
	for i := 1; ; {
		end := bytes.IndexByte(p[i:], '"')
		if end < 0 {
			return nil, nil, errors.New("json: a string does not end")
		}
		part := p[i : i+end]
		escape := bytes.IndexByte(part, '\\')
		if escape >= 0 {
			part = part[:escape]
		}
		if hasControl(part) {
			return nil, nil, errors.New("json: control character in a string")
		}
		i += len(part)
		if escape < 0 {
			return p[:i+1], p[i+1:], nil
		}
		n := escapeLength(p[i:])
		if n == 0 {
			return nil, nil, errors.New("json: bad escape in a string")
		}
		i += n
	}
}

// escapeLength gives the length of the escape that p begins with, 0 for a bad one.
func escapeLength(p []byte) int {
	switch {
	case len(p) < 2:
		return 0
	case bytes.IndexByte([]byte(`"\/bfnrt`), p[1]) >= 0:
		return 2
	case p[1] == 'u' && len(p) >= 6 && json.Valid(append(append([]byte{'"'}, p[:6]...), '"')):
		return 6
	}
	return 0
}

// scanValue parts a JSON value from what follows it.
func scanValue(p []byte) (value, rest []byte, err error) {
	if len(p) == 0 {
		return nil, nil, errors.New("json: no value")
	}
	switch p[0] {
	case '"':
		return scanString(p)
	case '{', '[':
		return scanNested(p)
	}
	i := 0
	for i < len(p) && p[i] != ',' && p[i] != '}' && p[i] > ' ' {
		i++
	}
	if !json.Valid(p[:i]) {
		return nil, nil, fmt.Errorf("json: bad value %s", strconv.Quote(shorten(p[:i])))
	}
	return p[:i], p[i:], nil
}

// scanNested finds the end of an array or object and checks what it holds.
func scanNested(p []byte) (value, rest []byte, err error) {
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '"':
			s, _, err := scanString(p[i:])
			if err != nil {
				return nil, nil, err
			}
			i += len(s) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				if !json.Valid(p[:i+1]) {
					return nil, nil, errors.New("json: bad nested value")
				}
				return p[:i+1], p[i+1:], nil
			}
		}
	}
	return nil, nil, errors.New("json: a nested value does not end")
}
