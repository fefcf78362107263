package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Capture is one line of a capture list. Its slices point into the line that
// it was parsed from; Parse may be called again on the same value.
type Capture struct {
	Form      Form
	Key       []byte // SURT; empty in a TSV list
	Timestamp []byte // 14 digits where the list keeps to the format
	URL       []byte // URI-R
	Mime      []byte
	Status    []byte
	Digest    []byte
	Redirect  []byte
	Meta      []byte // robot flags
	Filename  []byte // archive file as the list names it
	Offset    int64  // in bytes, of the record or its gzip member
	Length    int64  // in bytes, compressed; -1 where the list has none

	// Fields that only CDXJ has, under Common Crawl's names.
	MimeDetected []byte // mime-detected: the media type that the payload looks like
	Charset      []byte // charset: character encoding found in the payload
	Languages    []byte // languages: ISO 639-3 codes, separated by commas
	Truncated    []byte // truncated: why, as in WARC-Truncated
	// Fields that META sidecar files (package derive) add.
	PUID    []byte // puid: format of the payload in PRONOM
	Soft404 []byte // soft-404-detected: probability that the page says that nothing is there
	// Fields of a capture whose request had a body, under cdxj-indexer's names.
	RequestBody []byte // requestBody: what the key has been extended by
	Method      []byte // method: POST, PUT and so on

	object  []byte   // the JSON object of a CDXJ line
	members []member // of it, without those that say where the capture lies
}

// A Form says what the fields of a line are: FormTSV, FormCDXJ, or the letters
// of a CDX header.
type Form string

// The forms without a CDX header.
const (
	FormTSV  Form = "tsv"
	FormCDXJ Form = "cdxj"
)

// The layouts of CDX files that have lost their header line.
const (
	form11 Form = " NbamskrMSVg"
	form10 Form = " NbamskrMVg"
	form9  Form = " NbamskrVg"
)

// ErrNoCapture is the error of a line that is sound but holds no capture: a
// header or an empty line.
var ErrNoCapture = errors.New("no capture")

// maxFields is how many fields a CDX header can announce: more than there are letters
// for them, so that a line of any length costs little.
const maxFields = 64

// lostSeparator begins the header lines that lack the separator in front, as that of
// the format's own example does.
var lostSeparator = []byte("CDX ")

// Header returns the form that a CDX header line announces: the separator and one
// letter for each field. It reports whether the line is one.
func Header(line []byte) (Form, bool) {
	if bytes.HasPrefix(line, lostSeparator) {
		line = append([]byte{' '}, line[:min(len(line), 16+2*maxFields)]...)
	}
	if len(line) < 6 || string(line[1:4]) != "CDX" || line[4] != line[0] {
		return "", false
	}
	var form [1 + maxFields]byte
	form[0] = line[0]
	n := 1
	for rest := bytes.TrimRight(line[5:], "\r "); ; rest = rest[2:] {
		if len(rest) == 0 || n == len(form) || rest[0] == line[0] || len(rest) > 1 && rest[1] != line[0] {
			return "", false
		}
		form[n] = rest[0]
		n++
		if len(rest) == 1 {
			return Form(form[:n]), true
		}
	}
}

// A Parser recognises the form of each line and keeps the last CDX header.
type Parser struct {
	Header Form // the CDX header in force, "" before the first one
}

// Parse takes a line apart. The error is ErrNoCapture for headers and empty
// lines.
func (p *Parser) Parse(line []byte, c *Capture) error {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == 0 || line[0] == '!' {
		return ErrNoCapture
	}
	if form, ok := Header(line); ok {
		p.Header = form
		return ErrNoCapture
	}
	form, err := p.recognise(line)
	if err != nil {
		return err
	}
	return form.Parse(line, c)
}

func (p *Parser) recognise(line []byte) (Form, error) {
	if isCDXJ(line) {
		return FormCDXJ, nil
	}
	if p.Header != "" && bytes.Count(line, []byte(p.Header[:1])) == len(p.Header)-2 {
		return p.Header, nil
	}
	if bytes.IndexByte(line, '\t') >= 0 {
		if n := bytes.Count(line, []byte("\t")) + 1; n != 4 {
			return "", fmt.Errorf("%d fields separated by tabs, want 4: url, archive, offset, length", n)
		}
		return FormTSV, nil
	}
	n := bytes.Count(line, []byte(" ")) + 1
	if p.Header != "" {
		return "", fmt.Errorf("%d fields, the header line has %d", n, len(p.Header)-1)
	}
	switch n {
	case 11:
		return form11, nil
	case 10:
		return form10, nil
	case 9:
		return form9, nil
	}
	return "", fmt.Errorf("neither four fields separated by tabs, nor CDXJ, nor CDX with 9 to 11 fields (%d found)", n)
}

// isCDXJ says whether the third field of the line is a JSON object.
func isCDXJ(line []byte) bool {
	i := bytes.IndexByte(line, ' ')
	if i <= 0 {
		return false
	}
	j := bytes.IndexByte(line[i+1:], ' ')
	return j > 0 && i+j+2 < len(line) && line[i+j+2] == '{'
}

// Parse takes apart a line of a known form.
func (f Form) Parse(line []byte, c *Capture) error {
	line = bytes.TrimSuffix(line, []byte("\r"))
	*c = Capture{Form: f, Offset: -1, Length: -1, members: c.members[:0]}
	var err error
	switch f {
	case FormTSV:
		err = c.parseTSV(line)
	case FormCDXJ:
		err = c.parseCDXJ(line)
	default:
		err = c.parseCDX(line)
	}
	switch {
	case err != nil:
		return err
	case len(c.Filename) == 0:
		return errors.New("no archive file")
	case !utf8.Valid(c.Filename): // CDXJ and paths on Hadoop could not hold it
		return fmt.Errorf("archive file name that is not UTF-8: %q", c.Filename)
	case c.Offset < 0:
		return errors.New("no offset")
	case hasControl(c.Key) || hasControl(c.Timestamp):
		return errors.New("control character in the key")
	}
	return nil
}

// hasControl says whether a field would tear a line of an index apart.
func hasControl(field []byte) bool {
	for _, b := range field {
		if b < 0x20 {
			return true
		}
	}
	return false
}

func (c *Capture) parseTSV(line []byte) error {
	for i := range 4 {
		field := line
		if j := bytes.IndexByte(line, '\t'); j >= 0 {
			field, line = line[:j], line[j+1:]
		} else if i < 3 {
			return fmt.Errorf("%d fields separated by tabs, want 4", i+1)
		}
		var err error
		switch i {
		case 0:
			c.URL = field
		case 1:
			c.Filename = field
		case 2:
			c.Offset, err = number("offset", field)
		case 3:
			c.Length, err = optionalNumber("length", field)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Capture) parseCDX(line []byte) error {
	if len(c.Form) < 2 {
		return fmt.Errorf("unknown form %q", string(c.Form))
	}
	separator, letters := c.Form[0], c.Form[1:]
	hasV := strings.IndexByte(string(letters), 'V') >= 0
	for i := range len(letters) {
		field := line
		if j := bytes.IndexByte(line, separator); j >= 0 {
			field, line = line[:j], line[j+1:]
		} else if i < len(letters)-1 {
			return fmt.Errorf("%d fields, want %d", i+1, len(letters))
		}
		var err error
		switch letters[i] {
		case 'N', 'A': // massaged or canonized URL
			if c.Key == nil {
				c.Key = field
			}
		case 'b':
			c.Timestamp = field
		case 'a':
			c.URL = value(field)
		case 'm':
			c.Mime = value(field)
		case 's':
			c.Status = value(field)
		case 'k':
			c.Digest = value(field)
		case 'r':
			c.Redirect = value(field)
		case 'M':
			c.Meta = value(field)
		case 'S':
			c.Length, err = optionalNumber("length", field)
		case 'V':
			c.Offset, err = number("offset", field)
		case 'v': // offset in the inflated file: that of a plain one
			if !hasV {
				c.Offset, err = number("offset", field)
			}
		case 'g':
			c.Filename = value(field)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func value(field []byte) []byte {
	if len(field) == 1 && field[0] == '-' {
		return nil
	}
	return field
}

func optionalNumber(name string, field []byte) (int64, error) {
	if len(field) == 0 || len(field) == 1 && field[0] == '-' {
		return -1, nil
	}
	return number(name, field)
}

func number(name string, field []byte) (int64, error) {
	n := int64(0)
	if len(field) == 0 || len(field) > 18 {
		return 0, fmt.Errorf("%s %s is not a number of bytes", name, strconv.Quote(shorten(field)))
	}
	for _, d := range field {
		if d < '0' || d > '9' {
			return 0, fmt.Errorf("%s %s is not a number of bytes", name, strconv.Quote(shorten(field)))
		}
		n = n*10 + int64(d-'0')
	}
	return n, nil
}

// shorten keeps a hostile field from filling a message.
func shorten(field []byte) string {
	if len(field) > 40 {
		return string(field[:40]) + "…"
	}
	return string(field)
}
