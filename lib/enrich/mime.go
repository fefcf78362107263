package enrich

import "archivestream/lib/identify"

var _ = register(function{
	name: "mime", from: "payload", takes: 1 << Binary, gives: Text,
	summary: "media type that the payload looks like, whatever the server said",
	derive: func(_ *Record, from, out *Value) error {
		if mime := identify.Mime(from.Bytes); mime != "" {
			out.setText([]byte(mime))
		}
		return nil
	},
})
