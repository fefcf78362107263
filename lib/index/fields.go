package index

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"archivestream/lib/buffers"
	"archivestream/lib/warc"
)

// fields are the fields of a record's header that an index looks at.
type fields struct {
	uri           string // without the angle brackets of WARC 1.0's grammar
	date          string
	contentType   []byte
	payloadDigest string
	payloadType   string // WARC-Identified-Payload-Type
	truncated     string
	id            string
	concurrentTo  string
	login         string // WARC-Simple-Form-Province-Status, of Heritrix
}

// take goes through the header once. Of a repeated field the first one counts.
func (f *fields) take(r *warc.Record) {
	*f = fields{contentType: f.contentType[:0]}
	for i := range r.Header {
		h := &r.Header[i]
		target := f.target(h.Name)
		switch {
		case target != nil && *target == "":
			*target = h.Value
		case target == nil && len(h.Name) == len("Content-Type") && len(f.contentType) == 0 && strings.EqualFold(h.Name, "Content-Type"):
			f.contentType = append(f.contentType, h.Value...)
		}
	}
	if n := len(f.uri); n >= 2 && f.uri[0] == '<' && f.uri[n-1] == '>' {
		f.uri = f.uri[1 : n-1]
	}
}

// target gives where the value of a field goes, nil for those of no interest. The
// length decides first: most fields are passed over without a comparison.
func (f *fields) target(name string) *string {
	var wanted string
	var target *string
	switch len(name) {
	case len("WARC-Date"):
		wanted, target = "WARC-Date", &f.date
	case len("WARC-Truncated"):
		if name[5] == 'R' || name[5] == 'r' {
			wanted, target = "WARC-Record-ID", &f.id
		} else {
			wanted, target = "WARC-Truncated", &f.truncated
		}
	case len("WARC-Target-URI"):
		wanted, target = "WARC-Target-URI", &f.uri
	case len("WARC-Concurrent-To"):
		wanted, target = "WARC-Concurrent-To", &f.concurrentTo
	case len("WARC-Payload-Digest"):
		wanted, target = "WARC-Payload-Digest", &f.payloadDigest
	case len("WARC-Identified-Payload-Type"):
		wanted, target = "WARC-Identified-Payload-Type", &f.payloadType
	case len("WARC-Simple-Form-Province-Status"):
		wanted, target = "WARC-Simple-Form-Province-Status", &f.login
	}
	if target == nil || !strings.EqualFold(name, wanted) {
		return nil
	}
	return target
}

// memory holds the fields of one capture.
type memory struct{ bytes []byte }

func (m *memory) reset() {
	buffers.Spoil(m.bytes)
	m.bytes = m.bytes[:0]
}

// since gives what has been appended from a length on.
func (m *memory) since(from int) []byte { return m.bytes[from:len(m.bytes):len(m.bytes)] }

// text keeps a field. Bytes that are not UTF-8 are taken as Latin-1.
func (m *memory) text(s []byte) []byte {
	from := len(m.bytes)
	if utf8.Valid(s) {
		m.bytes = append(m.bytes, s...)
		return m.since(from)
	}
	for _, b := range s {
		m.bytes = utf8.AppendRune(m.bytes, rune(b))
	}
	return m.since(from)
}

// url keeps a URL, in which spaces and control characters become %HH.
func (m *memory) url(s string) []byte {
	from := len(m.bytes)
	for i := range len(s) {
		if b := s[i]; b <= ' ' || b == 0x7f {
			m.bytes = append(m.bytes, '%', upperHex[b>>4], upperHex[b&15])
		} else {
			m.bytes = append(m.bytes, b)
		}
	}
	return m.since(from)
}

const upperHex = "0123456789ABCDEF"

// timestamp keeps the 14 digits of a date; none where it cannot be read.
func (m *memory) timestamp(r *warc.Record, date string) []byte {
	from := len(m.bytes)
	if len(date) >= 20 && date[len(date)-1] == 'Z' && soundDate(date) {
		for _, i := range [...]int{0, 5, 8, 11, 14, 17} {
			n := 2
			if i == 0 {
				n = 4
			}
			m.bytes = append(m.bytes, date[i:i+n]...)
		}
		return m.since(from)
	}
	t := r.Date()
	if t.IsZero() || t.Year() > 9999 {
		return nil
	}
	m.bytes = t.AppendFormat(m.bytes, "20060102150405")
	return m.since(from)
}

// soundDate says whether a date is one of the usual form, YYYY-MM-DDThh:mm:ss and
// what may follow; days are not counted exactly.
func soundDate(d string) bool {
	const form = "0000-10-30T20:50:60"
	for i := range len(form) {
		switch c := d[i]; form[i] {
		case '-', ':', 'T':
			if c != form[i] {
				return false
			}
		default:
			if c < '0' || c > '9' {
				return false
			}
		}
	}
	if d[len(form)] != '.' && d[len(form)] != 'Z' || d[:4] == "0000" {
		return false
	}
	return within(d[5:7], 1, 12) && within(d[8:10], 1, 28) && within(d[11:13], 0, 23) && within(d[14:16], 0, 59) && within(d[17:19], 0, 59) &&
		digitsOnly(d[len(form):len(d)-1])
}

func within(d string, low, high byte) bool {
	n := (d[0]-'0')*10 + d[1] - '0'
	return low <= n && n <= high
}

// digitsOnly says whether a fraction of a second, with its point, is one.
func digitsOnly(fraction string) bool {
	return len(fraction) != 1 && strings.Trim(strings.TrimPrefix(fraction, "."), "0123456789") == ""
}

// mime keeps a media type; "unk" where there is none.
func (m *memory) mime(contentType []byte) []byte {
	media := mediaType(contentType)
	if len(media) == 0 || bytes.Equal(media, []byte("no-type")) { // ARC's own word for it
		return []byte("unk")
	}
	return m.text(media)
}
