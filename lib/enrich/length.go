package enrich

import (
	"encoding/json"
	"unicode/utf8"
)

var _ = register(function{
	name: "length", from: "payload.string", takes: 1<<Text | 1<<Binary | 1<<JSON, gives: Integer,
	summary: "number of characters of a text, bytes of a whole payload, elements of a list",
	derive: func(r *Record, from, out *Value) error {
		switch from.Kind {
		case Text:
			out.setInteger(utf8.RuneCount(from.Bytes))
		case Binary:
			if r.incomplete {
				return nil // as of a hash
			}
			out.setInteger(len(from.Bytes))
		case JSON:
			var list []json.RawMessage
			if json.Unmarshal(from.Bytes, &list) == nil {
				out.setInteger(len(list))
			}
		}
		return nil
	},
	// The characters of a payload can be counted without decoding it.
	past: map[string]derivation{"string": func(r *Record, from, out *Value) error {
		out.setInteger(r.charsetOf(from.Bytes).Length(from.Bytes))
		return nil
	}},
})
