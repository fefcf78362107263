package enrich

import (
	"errors"

	"archivestream/lib/warc"
)

var _ = register(function{
	name: "payload", gives: Binary,
	summary: "payload without chunks and content codings (gzip, deflate, br, zstd); told as bytes(length: N)",
	derive: func(r *Record, _, out *Value) error {
		if err := r.open(); err != nil {
			return err
		}
		err := r.coded
		r.payload = r.message.Body
		if r.isHTTP {
			var coded error
			if r.payload, coded = r.decoder.Decode(r.message); coded != nil {
				err = errors.Join(err, coded)
			}
		}
		r.incomplete = err != nil
		*out = Value{Kind: Binary, Bytes: r.payload}
		return err
	},
})

// contentType is what the server, or the record, says of the payload.
func (r *Record) contentType() []byte {
	if r.isHTTP {
		return r.message.Field("Content-Type")
	}
	if r.basics.kind == warc.Response {
		return nil
	}
	head, err := r.parsed()
	if err != nil {
		return nil // it has none that can be read
	}
	return []byte(head.Header.Get("Content-Type"))
}
