package documents

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Unique returns the object's members, of those of one name the last. The names are
// those that AppendName writes.
func (o *Object) Unique() []Member {
	last := make(map[string]int, len(o.Members))
	for i, m := range o.Members {
		last[string(AppendName(nil, m.Name))] = i
	}
	if len(last) == len(o.Members) {
		return o.Members
	}
	unique := make([]Member, 0, len(last))
	for i, m := range o.Members {
		if last[string(AppendName(nil, m.Name))] == i {
			unique = append(unique, m)
		}
	}
	return unique
}

// AppendName appends a member's name as a JSON string. Bytes that are no UTF-8 become
// U+FFFD.
func AppendName(dst, name []byte) []byte {
	quoted, _ := json.Marshal(string(name)) // of a string there is no error
	return append(dst, quoted...)
}

// AppendStrict appends a value that the parser has found sound as every reader takes
// it: in UTF-8, without blanks between its parts, and with each name once in an object,
// the last value of those that have it.
func AppendStrict(dst, raw []byte) []byte {
	switch raw[0] {
	case '{':
		var o Object
		if o.Parse(raw) != nil {
			return append(dst, "null"...) // no sound value
		}
		dst = append(dst, '{')
		for i, m := range o.Unique() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendName(dst, m.Name), ':')
			dst = AppendStrict(dst, m.Raw)
		}
		return append(dst, '}')
	case '[':
		return appendArray(dst, raw)
	}
	if utf8.Valid(raw) {
		return append(dst, raw...)
	}
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw) // U+FFFD for each byte that is none
		dst = utf8.AppendRune(dst, r)
		raw = raw[size:]
	}
	return dst
}

func appendArray(dst, raw []byte) []byte {
	p := parser{in: raw, at: 1}
	dst = append(dst, '[')
	for first := true; ; first = false {
		p.space()
		if p.peek() == ']' {
			return append(dst, ']')
		}
		if !first {
			p.at++ // the comma
			p.space()
			dst = append(dst, ',')
		}
		begin := p.at
		if p.value(1) != nil {
			return append(dst, "null]"...) // no sound value
		}
		dst = AppendStrict(dst, raw[begin:p.at])
	}
}

// Underscores returns how many underscores a member's name has before another name: 0
// for that name itself, -1 for what is neither.
func Underscores(member, name string) int {
	before, ok := strings.CutSuffix(member, name)
	if !ok || strings.Trim(before, "_") != "" {
		return -1
	}
	return len(before)
}
