package enrich

import (
	"archivestream/lib/charset"
)

var _ = register(function{
	name: "string", from: "payload", takes: 1 << Binary, gives: Text,
	summary: "payload as text: charset by byte order mark, header, meta, detection",
	derive: func(r *Record, from, out *Value) error {
		c := r.charsetOf(from.Bytes)
		text := c.Decode(r.text[:0], from.Bytes)
		if cap(text) > cap(r.text) && cap(text) <= keptBuffer && !inside(text, from.Bytes) {
			r.text = text[:0]
		}
		out.setText(text)
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

// inside says whether a slice is a part of another one.
func inside(part, all []byte) bool {
	return len(part) > 0 && len(all) > 0 && &part[:cap(part)][cap(part)-1] == &all[:cap(all)][cap(all)-1]
}

var _ = register(function{
	name: "charset", from: "payload", takes: 1 << Binary, gives: Text,
	summary: "character encoding of the payload, as the WHATWG Encoding standard calls it",
	derive: func(r *Record, from, out *Value) error {
		out.setText([]byte(r.charsetOf(from.Bytes).Name))
		return nil
	},
})
