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

	halves [1 + MaxAhead]half
}

const (
	// MaxAhead is the number of members that are worth announcing.
	MaxAhead = 3
	// aheadRoom is how much is inflated of a member before its turn, in bytes.
	aheadRoom = 2 << 20
	// keptRoom is the largest output that is kept for another member, in bytes.
	keptRoom = 4 << 20
)

// A half is a member that is being inflated.
type half struct {
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
	for i := range p.halves {
		p.halves[i].src = nil
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
	h := p.half(src)
	var other *half
	for h.state == ready {
		for (other == nil || !other.open()) && len(next) > 0 {
			other, next = p.half(next[0]), next[1:]
		}
		if other != nil && other.open() {
			h.both(other)
			other.advance()
		} else {
			h.alone()
		}
		h.advance()
	}
	h.src = nil
	if h.err != nil {
		return h.out, h.reader.pos, h.err
	}
	return h.finish(&h.reader, h.out, h.state)
}

// keep forgets members that are not wanted any more.
func (p *Ahead) keep(src []byte, next [][]byte) {
	for i := range p.halves {
		h := &p.halves[i]
		if h.src != nil && !h.holds(src) && !slices.ContainsFunc(next, h.holds) {
			h.src = nil
		}
	}
}

// half gives the half that a member has, or one that it begins in. There is one free:
// no more members are kept than there are halves.
func (p *Ahead) half(src []byte) *half {
	free := -1
	for i := range p.halves {
		if p.halves[i].holds(src) {
			return &p.halves[i]
		}
		if p.halves[i].src == nil {
			free = i
		}
	}
	h := &p.halves[free]
	h.begin(src, p.Limit)
	h.advance()
	return h
}

// open says whether a member before its turn can go on.
func (h *half) open() bool { return h.state == ready && len(h.out) < aheadRoom }

// holds says whether it is this member that has been begun.
func (h *half) holds(src []byte) bool {
	return h.src != nil && len(src) == len(h.src) && unsafe.SliceData(src) == unsafe.SliceData(h.src)
}

func (h *half) begin(src []byte, limit int) {
	out := h.out[:0]
	if cap(out) > keptRoom {
		out = nil
	}
	h.src, h.out, h.state = src, out, ready
	h.phase, h.final, h.start = atBlock, false, 0
	h.reader, h.limit = reader{src: src}, math.MaxInt
	if limit > 0 {
		h.limit = limit
	}
	if h.reader.pos, h.err = header(src); h.err != nil {
		h.state = corrupt
	}
}

// advance goes on to where fastLoop can, or to the end.
func (h *half) advance() {
	if h.state == ready {
		h.out, h.state = h.toFast(&h.reader, h.out, h.limit)
	}
}

// alone goes on in fastLoop.
func (h *half) alone() {
	var s status
	h.out, s = h.fastLoop(&h.reader, h.out, min(cap(h.out), h.limit))
	h.after(s)
}

// after takes note of why a loop has ended.
func (h *half) after(s status) {
	switch s {
	case done:
		h.endBlock()
	case corrupt, short:
		h.state = s
	}
}

// both goes on with two members.
func (h *half) both(other *half) {
	a, b := h.lane(), other.lane()
	why := inflateLanes(&a, &b)
	h.leave(&a)
	other.leave(&b)
	switch why {
	case stopA:
		h.symbol()
	case stopB:
		other.symbol()
	case badA:
		h.state = corrupt
	case badB:
		other.state = corrupt
	}
}

// symbol takes the symbol that ends a block, or finds out that it is none.
func (h *half) symbol() {
	var s status
	h.out, s = h.slowLoop(&h.reader, h.out, min(cap(h.out), h.limit))
	h.after(s)
}

func (h *half) lane() lane {
	r := &h.reader
	r.fill()
	in, out := unsafe.Pointer(unsafe.SliceData(r.src)), unsafe.Pointer(unsafe.SliceData(h.out))
	return lane{
		in: unsafe.Add(in, r.pos), at: unsafe.Add(out, len(h.out)),
		buf: r.buf, n: uint64(r.n), tables: h.tables, start: out,
		lastIn:  unsafe.Add(in, len(r.src)-fastInput),
		lastOut: unsafe.Add(out, min(cap(h.out), h.limit)-fastOutput),
	}
}

func (h *half) leave(l *lane) {
	r := &h.reader
	r.pos = int(uintptr(l.in) - uintptr(unsafe.Pointer(unsafe.SliceData(r.src))))
	r.buf, r.n = l.buf, uint(l.n&63)
	r.unread()
	h.out = h.out[:uintptr(l.at)-uintptr(l.start)]
}
