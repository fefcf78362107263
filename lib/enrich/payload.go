package enrich

import (
	"errors"
	"fmt"
	"strings"

	"archivestream/lib/warc"
)

var _ = register(function{
	name: "payload", gives: Binary,
	summary: "payload without chunks and content codings (gzip, deflate, br, zstd); told as bytes(length: N)",
	derive: func(r *Record, _, out *Value) error {
		if err := r.open(); err != nil {
			return err
		}
		if r.isElsewhere() {
			return errElsewhere
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
		if r.misled != nil {
			err = errors.Join(fmt.Errorf("%s: %s", r.misled.Kind, r.misled.Detail), err)
		}
		*out = Value{Kind: Binary, Bytes: r.payload}
		return err
	},
})

// errElsewhere is the error of a revisit's payload.
var errElsewhere = errors.New("revisit without the record that has its payload")

// isElsewhere reports whether the record is a revisit that has no payload of its own:
// none in its block, and no digest that says that it is empty. That of an answer "not
// modified" says nothing: it is the answer's own.
func (r *Record) isElsewhere() bool {
	if r.basics.kind != warc.Revisit || len(r.message.Body) > 0 {
		return false
	}
	head, err := r.parsed()
	if err == nil && !strings.HasSuffix(head.Header.Get("WARC-Profile"), "/server-not-modified") &&
		warc.IsDigestOfNothing([]byte(head.Header.Get("WARC-Payload-Digest"))) {
		return false
	}
	r.lacking = true
	return true
}

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
