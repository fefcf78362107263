package inputs

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// SampleSize is how much of a file is looked at, in bytes, before and after inflating.
const SampleSize = 64 << 10

// A Sample is what a file begins with.
type Sample struct {
	Gzip bool
	text []byte // inflated, without white space before it
	cut  bool   // the file goes on
	kind Kind
	sure bool // the kind cannot be mistaken
}

// Read takes the sample of a file of that size in bytes. The error is of reading it.
func Read(r io.ReaderAt, size int64) (Sample, error) {
	raw := make([]byte, min(size, SampleSize))
	n, err := r.ReadAt(raw, 0)
	if err != nil && err != io.EOF {
		return Sample{}, err
	}
	if n < len(raw) {
		return Sample{}, io.ErrUnexpectedEOF
	}
	return Of(raw[:n], int64(n) < size), nil
}

// Of takes the sample of a file that begins with these bytes; more reports whether it
// goes on. The sample keeps raw, unless that is gzip.
func Of(raw []byte, more bool) Sample {
	s := Sample{text: raw, cut: more}
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		var failed bool
		s.Gzip = true
		if s.text, failed = inflate(raw); failed && len(s.text) == 0 && !more {
			s.kind, s.sure = Damaged, true
			return s
		} else if failed && len(s.text) == 0 {
			// Members of nothing, or one whose first bytes are damaged.
			s.kind, s.sure = damagedOrEmpty(raw), true
			return s
		}
		s.cut = more || failed || len(s.text) == SampleSize
	}
	s.text = bytes.TrimPrefix(s.text, []byte("\xef\xbb\xbf"))
	s.text = bytes.TrimLeft(s.text, "\r\n")
	s.kind, s.sure = s.recognise()
	return s
}

// inflate inflates what it can of all members; failed reports whether the last one
// ends too early or is damaged.
func inflate(raw []byte) (text []byte, failed bool) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, true
	}
	text = make([]byte, SampleSize)
	n, err := io.ReadFull(z, text)
	return text[:n], err != nil && err != io.EOF && err != io.ErrUnexpectedEOF || err == io.ErrUnexpectedEOF && !whole(z)
}

// whole reports whether a reader that ended did so where its data ends.
func whole(z *gzip.Reader) bool {
	_, err := z.Read(make([]byte, 1))
	return err == io.EOF
}

// damagedOrEmpty tells members of nothing, of which there are more than a sample
// holds, from a damaged one.
func damagedOrEmpty(raw []byte) Kind {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err == nil {
		z.Multistream(false)
		if _, err = z.Read(make([]byte, 1)); err == io.EOF {
			return Empty
		}
	}
	return Damaged
}

// recognise names the kind of the sample's text.
func (s *Sample) recognise() (kind Kind, isSure bool) {
	if len(bytes.TrimSpace(s.text)) == 0 {
		return Empty, true
	}
	line, _, _ := bytes.Cut(s.text, newline)
	for _, m := range magics {
		if bytes.HasPrefix(s.text, []byte(m.magic)) && (m.kind != ARC || !isOfArcHead(line)) {
			return m.kind, true
		}
	}
	first := bytes.TrimLeft(s.text, " \t\r\n")
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<?xml"} {
		if len(first) >= len(tag) && bytes.EqualFold(first[:len(tag)], []byte(tag)) {
			return HTML, true
		}
	}
	if isArcHead(line) {
		return ARC, true
	}
	if bytes.IndexByte(s.text[:min(len(s.text), 8<<10)], 0) >= 0 {
		return Binary, true
	}
	for _, m := range matchers {
		if s.has(m.kind) {
			return m.kind, m.kind&sure != 0
		}
	}
	return Text, false
}

// Kind is the likeliest kind of the file.
func (s Sample) Kind() Kind { return s.kind }

// Sure reports whether the file can be of no other kind.
func (s Sample) Sure() bool { return s.sure }

// Fits reports whether the file can be of one of the kinds.
func (s Sample) Fits(kinds Kind) bool {
	if s.kind&(kinds|Empty) != 0 {
		return true
	}
	if s.sure {
		return false
	}
	if kinds&Text != 0 && s.kind&(CDX|Map|Links) == 0 {
		return true
	}
	for _, m := range matchers {
		if kinds&m.kind != 0 && s.has(m.kind) {
			return true
		}
	}
	return s.onlyHeaders()
}

// String says what the file is.
func (s Sample) String() string {
	if s.Gzip && s.kind&(Damaged|Empty) == 0 {
		return s.kind.String() + " (gzip)"
	}
	return s.kind.String()
}

// has reports whether a line of the sample is one of a kind of lines.
func (s *Sample) has(kind Kind) bool {
	for _, m := range matchers {
		if m.kind != kind {
			continue
		}
		for line := range s.lines() {
			if m.match(line) {
				return true
			}
		}
	}
	return false
}

// lines calls yield with each line of the sample that is not empty; one that it cuts is
// its only one, or left out.
func (s *Sample) lines() func(yield func(line []byte) bool) {
	return func(yield func(line []byte) bool) {
		rest, first := s.text, true
		for len(rest) > 0 {
			line, after, whole := bytes.Cut(rest, newline)
			rest = after
			if !whole && s.cut && !first {
				return
			}
			line = bytes.TrimSuffix(line, []byte("\r"))
			if len(line) > 0 && !yield(line) {
				return
			}
			first = false
		}
	}
}

// onlyHeaders reports whether all lines are headers: of such lines a job makes nothing,
// but it does not take them for something else either.
func (s *Sample) onlyHeaders() bool {
	for line := range s.lines() {
		if line[0] != '!' && !isCDXHeader(line) {
			return false
		}
	}
	return true
}
