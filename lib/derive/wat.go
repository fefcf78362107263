package derive

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"

	"archivestream/lib/warc"
)

// envelope writes the metadata of a record as WAT files have them.
func (w *jsonWriter) envelope(c *record) {
	w.b = append(w.b[:0], '{')
	w.container(c)
	w.open("Envelope")
	if c.Format == warc.ARC {
		w.str("Format", "ARC")
		w.number("ARC-Header-Length", int64(len(c.Head)))
		w.arcHeader(c)
	} else {
		w.str("Format", "WARC/"+c.Version)
		w.number("WARC-Header-Length", int64(len(c.Head)))
		w.open("WARC-Header-Metadata")
		w.recordFields(c.Header)
		w.close()
	}
	w.open("Payload-Metadata")
	w.payload(c)
	w.close()
	w.close()
	w.close()
}

// recordFields writes the fields of a record's header; hardly ever is one repeated.
func (w *jsonWriter) recordFields(h warc.Header) {
	w.lines = w.lines[:0]
	for i := range h {
		w.lines = append(w.lines, line{[]byte(h[i].Name), []byte(h[i].Value)})
	}
	w.fields(w.lines)
}

func (w *jsonWriter) container(c *record) {
	w.open("Container")
	w.str("Filename", c.name)
	w.bare("Compressed", strconv.FormatBool(c.Compression != warc.Plain))
	w.number("Offset", c.Offset)
	if c.zip {
		w.gzip(c)
	}
	w.close()
}

// The optional fields of a gzip header (RFC 1952, section 2.3.1).
const (
	gzipHeaderCRC = 1 << 1
	gzipExtra     = 1 << 2
	gzipName      = 1 << 3
	gzipComment   = 1 << 4
)

func (w *jsonWriter) gzip(c *record) {
	h := c.frame.Header
	w.open("Gzip-Metadata")
	w.number("Deflate-Length", c.Length)
	w.number("Header-Length", int64(len(h)))
	w.str("Footer-Length", "8")
	w.number("Inflated-CRC", int64(int32(c.frame.CRC)))
	w.number("Inflated-Length", int64(c.frame.Size))
	flags, rest := h[3], h[10:]
	if flags&gzipExtra != 0 {
		n := int(rest[0]) | int(rest[1])<<8
		w.extra(rest[2 : 2+n])
		rest = rest[2+n:]
	}
	if flags&gzipName != 0 {
		name, behind, _ := bytes.Cut(rest, []byte{0})
		w.text("Filename", name)
		rest = behind
	}
	if flags&gzipComment != 0 {
		n := bytes.IndexByte(rest, 0)
		w.number("Comment-Length", int64(n))
		rest = rest[n+1:]
	}
	if flags&gzipHeaderCRC != 0 {
		w.number("Header-CRC", int64(rest[0])|int64(rest[1])<<8)
	}
	w.close()
}

// extra writes the subfields of the extra field: those named LX and SL are numbers, others
// hexadecimal digits.
func (w *jsonWriter) extra(p []byte) {
	w.list("F-Extra")
	for len(p) >= 4 {
		name, n := p[:2], int(p[2])|int(p[3])<<8
		p = p[4:]
		value := p[:min(n, len(p))]
		p = p[len(value):]
		w.element()
		w.text("Name", name)
		if string(name) == "LX" || string(name) == "SL" {
			number := int64(0)
			for i := min(len(value), 8) - 1; i >= 0; i-- {
				number = number<<8 | int64(value[i])
			}
			w.bare("Value", strconv.FormatInt(number, 10))
		} else {
			w.str("Value", hex.EncodeToString(value))
		}
		w.close()
	}
	w.closeList()
}

func (w *jsonWriter) arcHeader(c *record) {
	w.open("ARC-Header-Metadata")
	w.str("Target-URI", c.ARC.URL)
	w.str("IP-Address", c.ARC.IP)
	w.str("Date", c.ARC.Date)
	w.str("Content-Type", c.ARC.ContentType)
	w.str("Content-Length", c.Header.Get("Content-Length")) // as written, also where it is none
	w.close()
}

// maxFields bounds the fields whose names are looked up among each other.
const maxFields = 512

// fields writes named fields; the values of one that is repeated become a list.
func (w *jsonWriter) fields(lines []line) {
	for i := range min(len(lines), maxFields) {
		name := lines[i].name
		if indexOf(lines[:i], name) >= 0 {
			continue
		}
		w.comma()
		w.b = append(appendString(w.b, name), ':')
		next := indexOf(lines[i+1:min(len(lines), maxFields)], name)
		if next < 0 {
			w.b = appendString(w.b, lines[i].value)
			continue
		}
		w.b = append(w.b, '[')
		for k := i; k < min(len(lines), maxFields); k++ {
			if bytes.Equal(lines[k].name, name) {
				w.comma()
				w.b = appendString(w.b, lines[k].value)
			}
		}
		w.closeList()
	}
}

func indexOf(lines []line, name []byte) int {
	for i := range lines {
		if bytes.Equal(lines[i].name, name) {
			return i
		}
	}
	return -1
}

// payload writes what a record's block is.
func (w *jsonWriter) payload(c *record) {
	switch {
	case c.Type == warc.Warcinfo && c.Format == warc.ARC:
		w.str("Actual-Content-Type", "alexa/filedesc")
		w.filedesc(c)
	case c.Type == warc.Warcinfo:
		w.str("Actual-Content-Type", "application/warc-fields")
		w.open("WARC-Info-Metadata")
		lines, corrupt := fieldLines(c.block)
		w.fields(lines)
		w.close()
		if corrupt {
			w.bare("Headers-Corrupt", "true")
		}
	case c.http && c.Type == warc.Request:
		w.str("Actual-Content-Type", "application/http; msgtype=request")
		w.request(c)
	case c.http:
		w.str("Actual-Content-Type", "application/http; msgtype=response")
		w.response(c)
	case c.isDNS():
		w.str("Actual-Content-Type", "text/dns")
		w.dns(c.block)
	case c.Type == warc.Metadata && is(c.media, "application/warc-fields", "text/anvl", "text/x-anvl"):
		w.str("Actual-Content-Type", "application/metadata-fields")
		w.metadata(c.block)
	}
	w.number("Actual-Content-Length", c.size)
	w.text("Block-Digest", c.blockSum)
	if c.Ending >= 0 {
		w.number("Trailing-Slop-Length", c.Ending)
	}
}

func (c *record) isDNS() bool {
	return is(c.media, "text/dns") && (c.Type == warc.Response || c.Type == warc.Resource)
}

// A line is a field of a block of fields.
type line struct{ name, value []byte }

// fieldLines takes a block of fields apart (application/warc-fields); corrupt says
// that there are lines that are none.
func fieldLines(block []byte) (lines []line, corrupt bool) {
	for text := range bytes.Lines(block) {
		text = bytes.TrimRight(text, "\r\n")
		if len(text) == 0 {
			continue
		}
		if (text[0] == ' ' || text[0] == '\t') && len(lines) > 0 {
			last := &lines[len(lines)-1]
			last.value = bytes.Join([][]byte{last.value, bytes.TrimSpace(text)}, []byte(" "))
			continue
		}
		name, value, ok := bytes.Cut(text, []byte(":"))
		if !ok {
			corrupt = true
			continue
		}
		lines = append(lines, line{bytes.TrimSpace(name), bytes.TrimSpace(value)})
	}
	return lines, corrupt
}

func (w *jsonWriter) metadata(block []byte) {
	lines, corrupt := fieldLines(block)
	w.open("WARC-Metadata-Metadata")
	w.list("Metadata-Records")
	for _, l := range lines {
		w.element()
		w.text("Name", l.name)
		w.text("Value", l.value)
		w.close()
	}
	w.closeList()
	if corrupt {
		w.bare("FIELDS_CORRUPT", "true")
	}
	w.close()
}

// dns writes an answer as crawlers keep it: a line with the date, then a line for each
// resource record (RFC 1035, section 5.1).
func (w *jsonWriter) dns(block []byte) {
	w.open("DNS-Metadata")
	first, rest, _ := bytes.Cut(block, []byte("\n"))
	w.text("Date", bytes.TrimSpace(first))
	w.list("Entries")
	for text := range bytes.Lines(rest) {
		f := bytes.Fields(text)
		if len(f) < 5 {
			continue
		}
		w.element()
		w.text("Name", f[0])
		if _, err := strconv.ParseUint(string(f[1]), 10, 32); err == nil {
			w.bare("TTL", strings.TrimLeft(string(f[1][:len(f[1])-1]), "0")+string(f[1][len(f[1])-1:]))
		}
		w.text("Net-Class", f[2])
		w.text("Type", f[3])
		w.text("Value", bytes.Join(f[4:], []byte(" ")))
		w.close()
	}
	w.closeList()
	w.close()
}

// filedesc writes what the first record of an ARC file says of it: versions and
// organization, the names of fields, then what Heritrix adds as XML.
func (w *jsonWriter) filedesc(c *record) {
	first, rest, _ := bytes.Cut(c.block, []byte("\n"))
	second, rest, _ := bytes.Cut(rest, []byte("\n"))
	w.open("Filedesc-Metadata")
	f := bytes.Fields(first)
	for i, name := range [...]string{"Major-Version", "Minor-Version"} {
		if i < len(f) {
			w.text(name, f[i])
		}
	}
	if len(f) > 2 {
		w.text("Organization", bytes.Join(f[2:], []byte(" ")))
	}
	w.text("Format", bytes.TrimSpace(second))
	w.list("Data")
	for _, d := range warc.FiledescFields(rest) {
		w.element()
		w.str("Name", d.Name)
		w.str("Value", d.Value)
		w.close()
	}
	w.closeList()
	w.close()
}
