package enrich

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"archivestream/lib/buffers"
	"archivestream/lib/cdx"
	"archivestream/lib/charset"
	"archivestream/lib/extract"
	"archivestream/lib/inflate"
	"archivestream/lib/payload"
	"archivestream/lib/warc"
	"archivestream/lib/webpage"
	"archivestream/lib/where"
)

// A Record is one capture's record, from which values are derived when they are
// asked for, each once. It is for one goroutine.
//
// The raw bytes are the batch's, and good until that is given back. All other buffers
// are the Record's own, and what lies in them is good until the next reset: the inflated
// member, the payload without codings, its text in UTF-8, the page, the arena of values
// that are made here.
type Record struct {
	plan     *Plan
	limit    int
	capture  cdx.Capture
	fields   where.Capture
	original place // that the record is taken from, where that is another capture's
	verify   bool  // the payload is held against the digests of line and record

	raw     []byte // as it lies in its archive
	missing error  // why there is none
	cut     bool   // raw is only its begin
	opened  bool
	failed  error        // why it cannot be opened
	header  []byte       // of the record, as written
	basics  basics       // what it says that is always needed
	head    *warc.Record // the header taken apart, once it is asked for
	message payload.Message
	isHTTP  bool
	lacking bool // the payload was asked for, and is that of another record
	payload []byte
	coded   error // what is wrong with the payload's codings

	incomplete bool // payload is a part of what it should be

	charset   charset.Charset
	hasString bool // charset has been found
	page      *webpage.Page
	tree      tree

	values []Value
	done   []bool
	errors []fieldError
	arena  []byte

	inflater inflate.Decoder
	inflated []byte // the gzip member, as far as it could be inflated
	decoder  payload.Decoder
	finder   charset.Finder
	texts    charset.Decoder
	parser   webpage.Parser
	keeps    []condition
	mapped_  []condition
	programs []*running
	resolver resolver
}

// A fieldError is what went wrong with a value.
type fieldError struct {
	path string
	err  error
}

// A condition is an expression with the nodes of its paths.
type condition struct {
	*where.Expression
	paths []*node
}

// newRecord makes the state of a goroutine.
func newRecord(p *Plan, limit int, programs []*running) (*Record, error) {
	r := &Record{
		plan: p, limit: limit, programs: programs,
		values: make([]Value, len(p.nodes)), done: make([]bool, len(p.nodes)),
	}
	r.inflater.Limit = limit + maxHead
	r.decoder.Limit = limit
	var err error
	if r.keeps, err = p.compile(p.keeps, true); err != nil {
		return nil, err
	}
	r.mapped_, err = p.compile(p.values, false)
	return r, err
}

// maxHead is the room for the headers of a record, in bytes.
const maxHead = 1 << 20

// compile compiles expressions for one goroutine.
func (p *Plan) compile(sources []source, isCondition bool) ([]condition, error) {
	var all []condition
	for _, s := range sources {
		e, err := s.compile(isCondition)
		if err != nil {
			return nil, err
		}
		c := condition{Expression: e}
		for _, path := range e.Paths() {
			n, err := p.node(path) // made when the plan was
			if err != nil {
				return nil, err
			}
			c.paths = append(c.paths, n)
		}
		all = append(all, c)
	}
	return all, nil
}

// reset takes another record: raw as it lies in its archive, or why it is missing.
func (r *Record) reset(j *job) error {
	r.raw, r.missing, r.original = j.raw, j.err, j.original
	r.opened, r.failed, r.head, r.isHTTP, r.payload, r.coded = false, nil, nil, false, nil, nil
	r.hasString, r.page, r.incomplete, r.lacking = false, nil, false, false
	r.tree.clear()
	clear(r.done)
	buffers.Spoil(r.arena)
	buffers.Spoil(r.inflated)
	r.errors, r.arena = r.errors[:0], r.arena[:0]
	if cap(r.arena) > keptBuffer {
		r.arena = nil
	}
	if err := j.form.Parse(j.line, &r.capture); err != nil {
		return err
	}
	r.fields.SetCapture(&r.capture)
	return nil
}

// keptBuffer is the largest buffer that is kept for the next record, in bytes.
const keptBuffer = 8 << 20

// keep says whether the record is kept: the conditions that need the capture alone
// come first, then the others in their order. Nothing is computed that they do not
// ask for.
func (r *Record) keep() (bool, error) {
	for _, early := range []bool{true, false} {
		for i := range r.keeps {
			if (len(r.keeps[i].paths) == 0) != early {
				continue
			}
			r.resolver = resolver{r, &r.keeps[i]}
			ok, err := r.keeps[i].Match(&r.resolver)
			if err != nil {
				return false, fmt.Errorf("--keep %s: %w", r.keeps[i], err)
			}
			if !ok {
				return false, nil
			}
		}
	}
	return true, nil
}

// mapped computes the value of an expression.
func (r *Record) mapped(number int, out *Value) error {
	at := resolver{r, &r.mapped_[number]}
	x, err := r.mapped_[number].Value(&at)
	if err != nil {
		return err
	}
	return r.setAny(x, out)
}

// A resolver gives expressions the fields and values of a record.
type resolver struct {
	r *Record
	c *condition
}

func (a *resolver) Text(field int) []byte { return a.r.fields.Text(field) }
func (a *resolver) Integer(field int) int { return a.r.fields.Integer(field) }
func (a *resolver) Any(field int) any {
	return a.r.value(a.c.paths[field-len(where.Enriched.Fields)]).Any()
}

// value gives the value of a node; it and what it starts from are computed if they
// have not been.
func (r *Record) value(n *node) *Value {
	v := &r.values[n.number]
	if r.done[n.number] {
		return v
	}
	r.done[n.number] = true
	*v = Value{}
	var from *Value
	derive := n.derive
	if past := n.pastOf(); past != nil {
		if from = r.value(n.above.above); from.Kind == Absent {
			return v
		}
		derive = past
	} else if n.above != nil {
		from = r.value(n.above)
		if from.Kind == Absent || n.function != nil && !n.function.takes.has(from.Kind) {
			return v
		}
	}
	if err := derive(r, from, v); err != nil {
		r.errors = append(r.errors, fieldError{n.path, err})
	}
	return v
}

var errTooLarge = errors.New("record larger than the limit")

// open inflates the record and takes its headers apart.
func (r *Record) open() error {
	if r.opened {
		return r.failed
	}
	r.opened = true
	r.failed = r.unpack()
	return r.failed
}

func (r *Record) unpack() error {
	if r.missing != nil {
		return r.missing
	}
	data := r.raw
	var damage error
	if len(data) > 2 && data[0] == 0x1f && data[1] == 0x8b {
		if cap(r.inflated) > keptBuffer {
			r.inflated = nil
		}
		var err error
		r.inflated, _, err = r.inflater.Member(r.inflated[:0], data)
		data = r.inflated
		switch {
		case err == inflate.ErrTooLarge || r.cut:
			damage = errTooLarge
		case err == io.ErrUnexpectedEOF:
			damage = errors.New("the gzip member is cut off")
		case errors.Is(err, inflate.ErrCorrupt):
			damage = errors.New("damaged gzip member")
		case err != nil:
			damage = err
		}
	}
	for len(data) > 0 && (data[0] == '\r' || data[0] == '\n') {
		data = data[1:]
	}
	n := headLength(data)
	r.header = data[:n]
	var ok bool
	if r.basics, ok = scanHeader(r.header); !ok {
		head, err := r.parsed()
		if err != nil {
			if damage != nil {
				err = damage
			}
			return fmt.Errorf("record header: %w", err)
		}
		r.basics = basics{head.Type, head.ContentLength, extract.HeadOf(head)}
	}
	if err := r.agrees(); err != nil {
		return err
	}
	block := data[n:]
	switch {
	case r.basics.length <= int64(len(block)):
		block = block[:r.basics.length]
	case r.cut:
		damage = errTooLarge
	case damage == nil:
		damage = errors.New("the record is cut off")
	}
	r.message, r.isHTTP = payload.Message{Body: block}, false
	if r.basics.kind == warc.Response || r.basics.kind == warc.Revisit {
		r.message, r.isHTTP = payload.Parse(block)
	}
	r.coded = damage
	return r.verified(block)
}

// agrees holds the record against the index line, or against that of the capture
// that a revisit has the payload of, before anything is derived from it.
func (r *Record) agrees() error {
	if r.original.name != "" {
		return extract.AgreeOriginal(r.original.of, r.basics.said)
	}
	return extract.Agree(&r.capture, r.basics.said)
}

// verified holds the payload against the digests of the line and of the record, where
// that is asked for. The bytes are those of a record that is whole.
func (r *Record) verified(block []byte) error {
	if !r.verify {
		return nil
	}
	if r.coded != nil {
		return fmt.Errorf("digest cannot be verified: %w", r.coded)
	}
	head, err := r.parsed()
	if err != nil {
		return fmt.Errorf("record header: %w", err)
	}
	whole := *head
	whole.Body = bytes.NewReader(block)
	mismatches, err := warc.Verify(&whole, string(r.capture.Digest))
	if err != nil {
		return err
	}
	return extract.DigestMismatch(mismatches)
}

// parsed takes the record's header apart.
func (r *Record) parsed() (*warc.Record, error) {
	if r.head == nil {
		head, err := warc.ParseHead(r.header)
		if err != nil {
			return nil, err
		}
		r.head = head
	}
	return r.head, nil
}

// The basics of a record are its type, the length of its block in bytes, and what it
// is held against its index line by.
type basics struct {
	kind   string
	length int64
	said   extract.Head
}

// scanHeader takes the basics from the header of a WARC record of the usual form,
// without garbage; of any other it says false.
func scanHeader(header []byte) (basics, bool) {
	b := basics{length: -1}
	if !bytes.HasPrefix(header, []byte("WARC/1.")) {
		return b, false
	}
	_, rest, _ := bytes.Cut(header, []byte("\n"))
	for len(rest) > 2 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		switch line[0] | 0x20 {
		case ' ', '\t' | 0x20: // a value that goes on
			return b, false
		case 'w':
			if value, ok := valueOf(line, "warc-type"); ok && b.kind == "" {
				for _, kind := range [...]string{warc.Response, warc.Resource, warc.Revisit} {
					if string(value) == kind {
						b.kind, b.said.Type = kind, value
					}
				}
			} else if value, ok := valueOf(line, "warc-target-uri"); ok && b.said.URL == nil {
				b.said.URL = withoutBrackets(value)
			} else if value, ok := valueOf(line, "warc-date"); ok && b.said.Date == nil {
				b.said.Date = value
			}
		case 'c':
			if value, ok := valueOf(line, "content-length"); ok && b.length < 0 {
				b.length = decimal(value)
			}
		}
	}
	return b, b.kind != "" && b.length >= 0
}

// withoutBrackets returns a URI without the angle brackets of WARC 1.0's grammar.
func withoutBrackets(uri []byte) []byte {
	if n := len(uri); n >= 2 && uri[0] == '<' && uri[n-1] == '>' {
		return uri[1 : n-1]
	}
	return uri
}

// valueOf gives the value of a field if it has the name, in lower case.
func valueOf(line []byte, name string) ([]byte, bool) {
	if len(line) <= len(name) || line[len(name)] != ':' || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name)+1:]), true
}

// decimal gives a number of up to 18 digits, -1 for what is none.
func decimal(text []byte) int64 {
	if len(text) == 0 || len(text) > 18 {
		return -1
	}
	n := int64(0)
	for _, d := range text {
		if d < '0' || d > '9' {
			return -1
		}
		n = 10*n + int64(d-'0')
	}
	return n
}

// headLength gives the length of a record's header: lines up to the blank one for
// WARC, one line for ARC.
func headLength(data []byte) int {
	if len(data) >= 5 && bytes.EqualFold(data[:5], []byte("WARC/")) {
		if n := payload.HeadLength(data, 0); n > 0 {
			return n
		}
		return len(data)
	}
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1
	}
	return len(data)
}
