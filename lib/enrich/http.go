package enrich

import (
	"bytes"
	"iter"
	"unicode/utf8"
)

var _ = register(function{
	name: "httpStatusLine", gives: Text,
	summary: "status line of the HTTP response",
	derive: func(r *Record, _, out *Value) error {
		if err := r.open(); err != nil {
			return err
		}
		if r.isHTTP {
			out.setText(latin1(r.message.StartLine()))
		}
		return nil
	},
})

var _ = register(function{
	name: "httpHeader", gives: JSON,
	summary: "fields of the HTTP response; a list where one is repeated",
	derive: func(r *Record, _, out *Value) error {
		if err := r.open(); err != nil {
			return err
		}
		if !r.isHTTP {
			return nil
		}
		begin := len(r.arena)
		r.arena = append(appendFields(append(r.arena, '{'), r.message.Fields()), '}')
		out.setJSON(r.arena[begin:len(r.arena):len(r.arena)])
		return nil
	},
})

// maxFields is the number of fields from which on repeated ones are not looked for:
// messages with more are hostile.
const maxFields = 1000

// appendFields appends the members of an object, each name once: the values of a
// repeated one become a list. Text that is not UTF-8 is taken as Latin-1.
func appendFields(dst []byte, fields iter.Seq2[[]byte, []byte]) []byte {
	var names, values [][]byte
	for name, value := range fields {
		if len(names) < maxFields {
			names, values = append(names, latin1(name)), append(values, latin1(value))
		}
	}
	for i, name := range names {
		if name == nil {
			continue
		}
		dst = appendName(dst, string(name))
		more := false
		for j := i + 1; j < len(names); j++ {
			if names[j] == nil || !bytes.EqualFold(names[j], name) {
				continue
			}
			if !more {
				dst = appendString(append(dst, '['), values[i])
				more = true
			}
			dst = appendString(append(dst, ','), values[j])
			names[j] = nil
		}
		if more {
			dst = append(dst, ']')
		} else {
			dst = appendString(dst, values[i])
		}
	}
	return dst
}

// latin1 gives a text in UTF-8, never nil.
func latin1(p []byte) []byte {
	if utf8.Valid(p) {
		if p == nil {
			p = []byte{}
		}
		return p
	}
	var b []byte
	for _, c := range p {
		b = utf8.AppendRune(b, rune(c))
	}
	return b
}
