package inflate

import (
	"math"
	"slices"
	"unsafe"
)

// A lane is a member that inflateLanes works on, in the form that it wants.
type lane struct {
	in, at  unsafe.Pointer // where it reads and writes next
	buf, n  uint64         // as in a reader, filled; of n the lowest 8 bits count
	tables  *tables
	start   unsafe.Pointer // the member's output
	lastIn  unsafe.Pointer // a turn begins if in and at are not behind these
	lastOut unsafe.Pointer
}

// stopped says why inflateLanes has come back.
type stopped int

const (
	atBounds stopped = iota // of input or output of one of them
	stopA                   // the next symbol of the first is for slowLoop
	stopB
	badA // a distance of the first cannot be
	badB
)

// An Ahead inflates gzip members one after the other. While it inflates one, it works
// on those that come next, too, where the processor can do two at a time in less than
// twice the time of one. Its zero value is ready. It is for one goroutine.
type Ahead struct {
	// Limit is as that of a Decoder. It must not change.
	Limit int

	members [1 + MaxAhead]ongoing
}

const (
	// MaxAhead is the number of members that are worth announcing.
	MaxAhead = 3
	// aheadRoom is how much is inflated of a member before its turn, in bytes.
	aheadRoom = 2 << 20
	// keptRoom is the largest output that is kept for another member, in bytes.
	keptRoom = 4 << 20
)

// An ongoing is a member that is being inflated.
type ongoing struct {
	Decoder
	reader reader
	src    []byte // nil: none is
	out    []byte
	limit  int
	state  status // ready: it can go on in fastLoop
	err    error  // of the header
}

// Forget leaves what has been inflated of next members, whose bytes may change then.
func (p *Ahead) Forget() {
	for i := range p.members {
		p.members[i].src = nil
	}
}

// Member inflates the gzip member that src begins with, as Decoder.Member does. next
// are those that are expected to follow: their bytes must not change until then, or
// until Forget. out is valid until the next call.
func (p *Ahead) Member(src []byte, next [][]byte) (out []byte, n int, err error) {
	next = next[:min(len(next), MaxAhead)]
	if !hasLanes {
		next = nil
	}
	p.keep(src, next)
	m := p.find(src)
	var other *ongoing
	for m.state == ready {
		for other == nil || other == m || !other.open() {
			if other = nil; len(next) == 0 {
				break
			}
			other, next = p.find(next[0]), next[1:]
		}
		if other != nil {
			m.both(other)
			other.advance()
		} else {
			m.alone()
		}
		m.advance()
	}
	m.src = nil
	if m.err != nil {
		return m.out, m.reader.pos, m.err
	}
	return m.finish(&m.reader, m.out, m.state)
}

// keep forgets members that are not wanted any more.
func (p *Ahead) keep(src []byte, next [][]byte) {
	for i := range p.members {
		m := &p.members[i]
		if m.src != nil && !m.holds(src) && !slices.ContainsFunc(next, m.holds) {
			m.src = nil
		}
	}
}

// find gives the member that src begins with, begun if it was not. There is room: no
// more are kept than are asked for.
func (p *Ahead) find(src []byte) *ongoing {
	free := -1
	for i := range p.members {
		if p.members[i].holds(src) {
			return &p.members[i]
		}
		if p.members[i].src == nil {
			free = i
		}
	}
	m := &p.members[free]
	m.begin(src, p.Limit)
	m.advance()
	return m
}

// open says whether a member before its turn can go on.
func (m *ongoing) open() bool { return m.state == ready && len(m.out) < aheadRoom }

// holds says whether it is this member that has been begun.
func (m *ongoing) holds(src []byte) bool {
	return m.src != nil && len(src) == len(m.src) && unsafe.SliceData(src) == unsafe.SliceData(m.src)
}

func (m *ongoing) begin(src []byte, limit int) {
	out := m.out[:0]
	if cap(out) > keptRoom {
		out = nil
	}
	m.src, m.out, m.state = src, out, ready
	m.phase, m.final, m.start = atBlock, false, 0
	m.reader, m.limit = reader{src: src}, math.MaxInt
	if limit > 0 {
		m.limit = limit
	}
	if m.reader.pos, m.err = header(src); m.err != nil {
		m.state = corrupt
	}
}

// advance goes on to where fastLoop can, or to the end.
func (m *ongoing) advance() {
	if m.state == ready {
		m.out, m.state = m.toFast(&m.reader, m.out, m.limit)
	}
}

// alone goes on in fastLoop.
func (m *ongoing) alone() {
	var s status
	m.out, s = m.fastLoop(&m.reader, m.out, min(cap(m.out), m.limit))
	m.after(s)
}

// after takes note of why a loop has ended.
func (m *ongoing) after(s status) {
	switch s {
	case done:
		m.endBlock()
	case corrupt, short:
		m.state = s
	}
}

// both goes on with two members.
func (m *ongoing) both(other *ongoing) {
	a, b := m.lane(), other.lane()
	why := inflateLanes(&a, &b)
	m.leave(&a)
	other.leave(&b)
	switch why {
	case stopA:
		m.symbol()
	case stopB:
		other.symbol()
	case badA:
		m.state = corrupt
	case badB:
		other.state = corrupt
	}
}

// symbol takes the symbol that ends a block, or finds out that it is none.
func (m *ongoing) symbol() {
	var s status
	m.out, s = m.slowLoop(&m.reader, m.out, min(cap(m.out), m.limit))
	m.after(s)
}

func (m *ongoing) lane() lane {
	r := &m.reader
	r.fill()
	in, out := unsafe.Pointer(unsafe.SliceData(r.src)), unsafe.Pointer(unsafe.SliceData(m.out))
	return lane{
		in: unsafe.Add(in, r.pos), at: unsafe.Add(out, len(m.out)),
		buf: r.buf, n: uint64(r.n), tables: m.tables, start: out,
		lastIn:  unsafe.Add(in, len(r.src)-fastInput),
		lastOut: unsafe.Add(out, min(cap(m.out), m.limit)-fastOutput),
	}
}

func (m *ongoing) leave(l *lane) {
	r := &m.reader
	r.pos = int(uintptr(l.in) - uintptr(unsafe.Pointer(unsafe.SliceData(r.src))))
	r.buf, r.n = l.buf, uint(l.n&63)
	r.unread()
	m.out = m.out[:uintptr(l.at)-uintptr(l.start)]
}
