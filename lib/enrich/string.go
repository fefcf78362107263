package enrich

import (
	"archivestream/lib/charset"
)

var _ = register(function{
	name: "string", from: "payload", takes: 1 << Binary, gives: Text,
	summary: "payload as text: charset by byte order mark, header, meta, detection",
	derive: func(r *Record, from, out *Value) error {
		out.setText(r.texts.Decode(r.charsetOf(from.Bytes), from.Bytes))
		return nil
	},
})

// charsetOf gives the character encoding of the payload.
func (r *Record) charsetOf(data []byte) *charset.Charset {
	if !r.hasString {
		r.charset, r.hasString = r.finder.Find(r.contentType(), data), true
	}
	return &r.charset
}

var _ = register(function{
	name: "charset", from: "payload", takes: 1 << Binary, gives: Text,
	summary: "character encoding of the payload, as the WHATWG Encoding standard calls it",
	derive: func(r *Record, from, out *Value) error {
		out.setText([]byte(r.charsetOf(from.Bytes).Name))
		return nil
	},
})
