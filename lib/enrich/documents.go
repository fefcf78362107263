package enrich

import (
	"bytes"
	"slices"
	"strconv"
	"time"
)

// documents makes the documents of a search for redundancy.
type documents struct {
	payload, title, text, plain *node
	more                        []*node // attributes that were asked for
	names                       []string
}

// documentMembers are the names of the members that each document has.
var documentMembers = []string{"id", "url", "hostname", "timestamp", "mime", "title", "bytes", "filename", "offset", "length", "text"}

func newDocuments(p *Plan) (*documents, error) {
	d := &documents{}
	for _, n := range p.nodes {
		if n.asked {
			name := n.name
			if slices.Contains(documentMembers, name) || slices.Contains(d.names, name) {
				name = n.path
			}
			d.more, d.names = append(d.more, n), append(d.names, name)
		}
	}
	for path, at := range map[string]**node{
		"payload": &d.payload, "payload.string": &d.plain,
		"payload.string.html.title": &d.title, "payload.string.html.text": &d.text,
	} {
		n, err := p.node(path)
		if err != nil {
			return nil, err
		}
		*at = n
	}
	return d, nil
}

// append writes id, url, hostname, timestamp in milliseconds since 1970, mime, title,
// bytes, place of the record (filename, offset, length), text, and what else was asked for under the last element of its path, or
// under all of it where that is a name already. The id is the place of the record: file name and offset.
func (d *documents) append(o *output, r *Record) {
	c := &r.capture
	dst := append(o.bytes, '{')
	dst = appendMember(dst, "id", strconv.AppendInt(append(append([]byte{}, c.Filename...), ':'), c.Offset, 10))
	dst = appendMember(dst, "url", c.URL)
	dst = appendMember(dst, "hostname", r.fields.Text(fieldHost))
	dst = strconv.AppendInt(appendName(dst, "timestamp"), milliseconds(c.Timestamp), 10)
	dst = appendMember(dst, "mime", c.Mime)
	title, text := d.texts(r)
	dst = appendMember(dst, "title", title)
	if payload := r.value(d.payload); payload.Kind == Absent {
		dst = append(appendName(dst, "bytes"), "null"...)
	} else {
		dst = strconv.AppendInt(appendName(dst, "bytes"), int64(len(payload.Bytes)), 10)
	}
	dst = appendMember(dst, "filename", c.Filename)
	dst = strconv.AppendInt(appendName(dst, "offset"), c.Offset, 10)
	dst = strconv.AppendInt(appendName(dst, "length"), c.Length, 10)
	dst = appendMember(dst, "text", text)
	for i, n := range d.more {
		if v := r.value(n); v.Kind != Absent {
			dst = v.AppendJSON(appendName(dst, d.names[i]))
		}
	}
	o.bytes = append(dst, '}', '\n')
}

// texts gives title and text: of markup those of the page, of other text all of it.
func (d *documents) texts(r *Record) (title, text []byte) {
	mime := r.capture.Mime
	switch {
	case bytes.Contains(mime, []byte("html")) || bytes.Contains(mime, []byte("xml")):
		return r.value(d.title).Bytes, r.value(d.text).Bytes
	case bytes.HasPrefix(mime, []byte("text/")) || bytes.HasSuffix(mime, []byte("json")):
		return nil, r.value(d.plain).Bytes
	}
	return nil, nil
}

// milliseconds gives a timestamp of 14 digits as milliseconds since 1970; 0 for what
// is none.
func milliseconds(timestamp []byte) int64 {
	t, err := time.Parse("20060102150405", string(timestamp))
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}
