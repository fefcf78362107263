package warc

import (
	"io"
	"strings"
	"time"
)

// Format is the container format that a record was written in.
type Format uint8

// The formats that this package reads and writes.
const (
	UnknownFormat Format = iota
	ARC                  // ARC version 1 or 2 (Internet Archive, 1996)
	WARC                 // WARC 0.16 to 1.1 (ISO 28500)
)

// String gives the format's name as it stands in file names: "arc" or "warc".
func (f Format) String() string {
	switch f {
	case ARC:
		return "arc"
	case WARC:
		return "warc"
	}
	return "unknown"
}

// Compression says how a record lies in its file.
type Compression uint8

// The ways a record can lie in its file.
const (
	Plain  Compression = iota // not compressed
	Member                    // alone in its gzip member, the usual form
	Shared                    // in a gzip member that holds several records
)

// The values of WARC-Type that ISO 28500 (section 6) defines. An ARC record is
// given the type that its conversion to WARC has: Warcinfo for the filedesc
// record, Response for http and https, Resource for every other scheme.
const (
	Warcinfo     = "warcinfo"
	Response     = "response"
	Resource     = "resource"
	Request      = "request"
	Metadata     = "metadata"
	Revisit      = "revisit"
	Conversion   = "conversion"
	Continuation = "continuation"
)

// A Record is one record of an ARC or WARC file. It and its body are valid
// until the reader that made it is asked for the next one.
type Record struct {
	Format      Format
	Version     string      // "1.0" of WARC/1.0; "1" or "2" for ARC
	Type        string      // value of WARC-Type, lower case
	Compression Compression // how the record lies in its file

	// Offset is where the record (Plain) or the gzip member that holds it
	// begins, in bytes from the start of the file.
	Offset int64
	// Length is the number of bytes that the record (Plain) or its gzip
	// member takes in the file, the blank lines behind the record included;
	// -1 as long as it is not known: for members too long to be held in memory
	// it is set when the body has been read or skipped.
	Length int64
	// InnerOffset is the record's offset in the inflated member: 0 unless
	// Compression is Shared, and also where only blank lines are before it.
	InnerOffset int64

	// Head is the record's header as it was written: for WARC the version
	// line and the named fields with the blank line that ends them, for ARC
	// the URL record line with its line end.
	Head []byte
	// Header holds the named fields of a WARC record. For an ARC record it
	// holds the fields of the WARC record that it would be converted to, so
	// that callers need not care: WARC-Type, WARC-Target-URI, WARC-Date,
	// WARC-IP-Address, Content-Type (of the ARC line: the payload's) and
	// Content-Length.
	Header Header
	// ARC holds the fields of an ARC record's line; nil for WARC.
	ARC *ARCLine

	// ContentLength is the number of bytes that the body really offers: the
	// header's claim, or less where the file or the member ends before, or
	// where the claim was found to be wrong.
	ContentLength int64
	// Ending is the number of bytes of the line ends behind the block; -1 where it
	// is not known.
	Ending int64
	// Body is the record's block (ISO 28500 section 2), ContentLength bytes.
	Body io.Reader
	// Defects are the faults found in the record so far.
	Defects []*Defect
}

// Damaged says whether a part of the record is known to be missing.
func (r *Record) Damaged() bool {
	for _, d := range r.Defects {
		if d.Lost {
			return true
		}
	}
	return false
}

// TargetURI is the record's WARC-Target-URI without the angle brackets that
// WARC 1.0's grammar put around it; empty where the record has none.
func (r *Record) TargetURI() string { return r.Header.URI("WARC-Target-URI") }

// dateForms are what WARC-Date looks like: W3C date and time (ISO 28500:2017,
// section 5.4, takes its reduced forms too), and the 14 digits of other formats.
var dateForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02", "2006-01", "2006", "20060102150405",
}

// Date is the capture's time, from WARC-Date or the ARC line; the zero time
// where it is missing or cannot be understood.
func (r *Record) Date() time.Time { return ParseDate(r.Header.Get("WARC-Date")) }

// ParseARCDate returns the time, in UTC, that the date of an ARC record line stands
// for, filled up or cut as ARCLine.Date needs it; the zero time where it is none.
func ParseARCDate(date string) time.Time {
	t, ok := arcTime(date)
	if !ok {
		return time.Time{}
	}
	return t
}

// ParseDate returns the time, in UTC, that a value of WARC-Date stands for; the zero
// time where it is missing or cannot be understood.
func ParseDate(date string) time.Time {
	date = strings.ToUpper(date)
	for _, form := range dateForms {
		if t, err := time.Parse(form, date); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// An ARCLine is the URL record line of an ARC record (ARC file format 1.0 and
// 2.0, Internet Archive, 1996). Fields that version 1 lacks are empty or -1.
type ARCLine struct {
	URL         string // may contain spaces
	IP          string
	Date        string // as written: 14 digits by the format, 10 to 18 and more in the wild
	ContentType string
	ResultCode  string
	Checksum    string
	Location    string
	Offset      int64
	Filename    string
	Length      int64
}

// A Field is one named field of a WARC header, value unfolded and trimmed,
// in UTF-8 (bytes that are not are taken as Latin-1).
type Field struct{ Name, Value string }

// Header is the named fields of a record in the order in which they stand.
type Header []Field

// Get gives the value of the first field of that name, in any letter case;
// empty where there is none.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// URI returns the value of a field that holds a URI or a record's id, without the
// angle brackets around it.
func (h Header) URI(name string) string {
	uri := h.Get(name)
	if len(uri) >= 2 && uri[0] == '<' && uri[len(uri)-1] == '>' {
		return uri[1 : len(uri)-1]
	}
	return uri
}

// Has says whether there is a field of that name.
func (h Header) Has(name string) bool {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// Set replaces the first field of that name or adds one.
func (h *Header) Set(name, value string) {
	for i, f := range *h {
		if strings.EqualFold(f.Name, name) {
			(*h)[i].Value = value
			return
		}
	}
	h.Add(name, value)
}

// Add appends a field.
func (h *Header) Add(name, value string) { *h = append(*h, Field{name, value}) }
