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
	last    bool   // its archive ends where raw does
	opened  bool
	failed  error        // why it cannot be opened
	header  []byte       // of the record, as written
	basics  basics       // what it says that is always needed
	head    *warc.Record // the header taken apart, once it is asked for
	message payload.Message
	isHTTP  bool
	lacking bool // the payload was asked for, and is that of another record
	payload []byte
	coded   error        // why not all of the block is there
	misled  *warc.Defect // the header is wrong about the length of the block, all of which is there

	incomplete bool // payload is a part of what it should be

	charset   charset.Charset
	hasString bool // charset has been found
	page      *webpage.Page
	tree      tree

	fatal      error // of a program that cannot be run: it ends the task
	unanswered error // of a program that gave no value for this record

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
	r.misled, r.last = nil, j.last
	r.hasString, r.page, r.incomplete, r.lacking = false, nil, false, false
	r.fatal, r.unanswered = nil, nil
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
	isMember := len(data) > 2 && data[0] == 0x1f && data[1] == 0x8b
	if isMember {
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
	block, damage := r.block(data[n:], isMember, damage)
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
	whole.Body, whole.ContentLength = bytes.NewReader(block), int64(len(block))
	mismatches, err := warc.Verify(&whole, string(r.capture.Digest))
	if err != nil {
		return err
	}
	return extract.DigestMismatch(mismatches)
}

// block takes the record's block from what follows its header, by the rule of a
// warc.Reader where all of it is there.
func (r *Record) block(rest []byte, isMember bool, damage error) ([]byte, error) {
	claimed := r.basics.length
	fits := claimed >= 0 && claimed <= int64(len(rest))
	switch {
	case (damage != nil || r.cut) && fits:
		return rest[:claimed:claimed], damage
	case r.cut:
		return rest, errTooLarge
	case damage != nil:
		return rest, damage
	case !isMember && r.last && claimed > int64(len(rest)):
		return rest, errors.New("the record is cut off")
	}
	format := warc.ARC
	if isWARC(r.header) {
		format = warc.WARC
	}
	block, wrong := warc.BlockOf(rest, format, claimed)
	if wrong != nil {
		r.misled = wrong
	}
	return block, nil
}

// parsed takes the record's header apart.
func (r *Record) parsed() (*warc.Record, error) {
	if r.head == nil {
		head, wrong, err := warc.ParseHeader(r.header)
		if err != nil {
			return nil, err
		}
		if r.head = head; wrong != nil {
			r.misled = wrong
		}
	}
	return r.head, nil
}
