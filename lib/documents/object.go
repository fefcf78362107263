package documents

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// An Object is a parsed line. Its slices point into the line.
type Object struct {
	Members []Member
	names   []byte // unescaped ones
}

// A Member is one name and value of an object, in the order of the line.
type Member struct {
	Name []byte // unescaped
	Raw  []byte // the value as it stands in the line
}

// A SyntaxError says where a line is no JSON object.
type SyntaxError struct {
	Offset int // in bytes, from 0
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset+1, e.Reason) }

// maxDepth is how deep values can be nested, as in encoding/json.
const maxDepth = 10000

// Parse reads one line, which the object then points into.
func (o *Object) Parse(line []byte) error {
	o.Members, o.names = o.Members[:0], o.names[:0]
	p := parser{in: line}
	p.space()
	if p.peek() != '{' {
		return p.fail("a JSON object is wanted")
	}
	p.at++
	p.space()
	if p.peek() == '}' {
		p.at++
		return p.end()
	}
	for {
		p.space()
		begin := p.at
		if p.peek() != '"' {
			return p.fail("a name in quotation marks is wanted")
		}
		if err := p.text(); err != nil {
			return err
		}
		name := line[begin+1 : p.at-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			from := len(o.names)
			o.names = appendUnquoted(o.names, name)
			name = o.names[from:]
		}
		p.space()
		if p.peek() != ':' {
			return p.fail("a colon is wanted")
		}
		p.at++
		p.space()
		begin = p.at
		if err := p.value(1); err != nil {
			return err
		}
		o.Members = append(o.Members, Member{name, line[begin:p.at]})
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			return p.end()
		default:
			return p.fail("a comma or } is wanted")
		}
	}
}

// Raw gives the value of a name as it stands in the line; nil where there is none.
func (o *Object) Raw(name string) []byte {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if string(o.Members[i].Name) == name {
			return o.Members[i].Raw
		}
	}
	return nil
}

// AppendString appends the text of a raw value that is a string; ok is false where
// it is none.
func AppendString(dst, raw []byte) (text []byte, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return dst, false
	}
	return appendUnquoted(dst, raw[1:len(raw)-1]), true
}

// appendUnquoted appends the text of a string that the parser has found sound.
func appendUnquoted(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(s)
			s = s[4:]
			if utf16.IsSurrogate(r) {
				second := rune(utf8.RuneError)
				if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
					second = utf16.DecodeRune(r, hex4(s[2:]))
				}
				// A lone half stands for no character.
				if r = second; second != utf8.RuneError {
					s = s[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

func hex4(s []byte) rune {
	n, err := strconv.ParseUint(string(s[:4]), 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}

// A parser goes through one line.
type parser struct {
	in []byte
	at int
}

func (p *parser) fail(reason string) error {
	if p.at >= len(p.in) {
		reason = "the line ends; " + reason
	}
	return &SyntaxError{p.at, reason}
}

// peek gives the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *parser) space() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) end() error {
	p.space()
	if p.at < len(p.in) {
		return p.fail("something follows the object")
	}
	return nil
}

// inString marks the bytes that are not simply part of a string.
var inString = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// text passes a string; the next byte is its quotation mark.
func (p *parser) text() error {
	p.at++
	for p.at < len(p.in) {
		c := p.in[p.at]
		if !inString[c] {
			p.at++
			continue
		}
		switch c {
		case '"':
			p.at++
			return nil
		case '\\':
			p.at++
			if err := p.escape(); err != nil {
				return err
			}
		default:
			return p.fail("a control character stands in a string")
		}
	}
	return p.fail("a string has no closing quotation mark")
}

func (p *parser) escape() error {
	switch p.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.at++
		return nil
	case 'u':
		for i := 1; i <= 4; i++ {
			if p.at+i >= len(p.in) || !isHex(p.in[p.at+i]) {
				return p.fail(`four hexadecimal digits are wanted behind \u`)
			}
		}
		p.at += 5
		return nil
	}
	return p.fail("no such escape")
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (p *parser) value(depth int) error {
	switch c := p.peek(); {
	case c == '"':
		return p.text()
	case c == '{' || c == '[':
		return p.nested(depth)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(p.in[p.at:], []byte(word)) {
			p.at += len(word)
			return nil
		}
	}
	return p.fail("a value is wanted")
}

// nested passes an array or object.
func (p *parser) nested(depth int) error {
	if depth >= maxDepth {
		return p.fail("too deeply nested")
	}
	open := p.in[p.at]
	closing := open + 2 // ] and } come two behind [ and {
	p.at++
	p.space()
	if p.peek() == closing {
		p.at++
		return nil
	}
	for {
		p.space()
		if open == '{' {
			if p.peek() != '"' {
				return p.fail("a name in quotation marks is wanted")
			}
			if err := p.text(); err != nil {
				return err
			}
			p.space()
			if p.peek() != ':' {
				return p.fail("a colon is wanted")
			}
			p.at++
			p.space()
		}
		if err := p.value(depth + 1); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case closing:
			p.at++
			return nil
		default:
			return p.fail("a comma or " + string(closing) + " is wanted")
		}
	}
}

func (p *parser) number() error {
	digits := func() bool {
		from := p.at
		for p.at < len(p.in) && p.in[p.at] >= '0' && p.in[p.at] <= '9' {
			p.at++
		}
		return p.at > from
	}
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !digits() {
		return p.fail("a digit is wanted")
	}
	if p.peek() == '.' {
		p.at++
		if !digits() {
			return p.fail("a digit is wanted")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !digits() {
			return p.fail("a digit is wanted")
		}
	}
	return nil
}
