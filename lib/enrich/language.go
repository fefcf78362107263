package enrich

import (
	"strconv"

	"archivestream/lib/language"
)

var _ = register(function{
	name: "language", from: "payload.string.html.text", takes: 1 << Text, gives: Text,
	summary: "language of a text, ISO 639-3; absent where that is not reliable",
	derive: func(_ *Record, from, out *Value) error {
		found := language.Detect(from.Bytes)
		if code := found.Code(); code != "" {
			out.setText([]byte(code))
		}
		return nil
	},
})

var _ = register(function{
	name: "languages", from: "payload.string.html.text", takes: 1 << Text, gives: JSON,
	summary: "up to three languages of a text and their shares in per cent",
	derive: func(r *Record, from, out *Value) error {
		found := language.Detect(from.Bytes)
		begin := len(r.arena)
		r.arena = append(r.arena, '[')
		for _, l := range found.Languages {
			r.openElement(begin)
			r.arena = appendMember(r.arena, "code", []byte(l.Code))
			r.arena = strconv.AppendInt(appendName(r.arena, "percent"), int64(l.Percent), 10)
			r.arena = append(r.arena, '}')
		}
		r.closeList(begin, out)
		return nil
	},
})
