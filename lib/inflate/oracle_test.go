package inflate

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
)

// A result is what a decoder gives for a member.
type result struct {
	data []byte
	n    int   // bytes of the input that are taken, if err is nil
	err  error // nil or one of the kinds
}

// standard inflates with the standard library.
func standard(src []byte) result {
	if len(src) == 0 {
		return result{err: io.ErrUnexpectedEOF}
	}
	if len(src) >= headerSize && src[3]&flagsReserved != 0 {
		return result{err: ErrHeader} // the one known difference
	}
	in := bytes.NewReader(src)
	z, err := gzip.NewReader(in)
	if err != nil {
		return result{err: kind(err)}
	}
	z.Multistream(false)
	data, err := io.ReadAll(z)
	return result{data: data, n: len(src) - in.Len(), err: kind(err)}
}

func kind(err error) error {
	switch {
	case err == nil, errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case errors.Is(err, gzip.ErrHeader):
		return ErrHeader
	case errors.Is(err, gzip.ErrChecksum):
		return ErrChecksum
	}
	return ErrCorrupt
}

// compare holds a decoder's answer for src against the standard library's.
func compare(t *testing.T, d *Decoder, src []byte) {
	t.Helper()
	want := standard(src)
	const before = "before"
	out, n, err := d.Member(append(make([]byte, 0, 1000), before...), src)
	if !bytes.HasPrefix(out, []byte(before)) {
		t.Fatalf("what dst held was changed: %.20q", out)
	}
	out = out[len(before):]
	if want.err == nil {
		if err != nil || n != want.n || !bytes.Equal(out, want.data) {
			t.Fatalf("gave %d bytes of %d and %v, want %d of %d", len(out), n, err, len(want.data), want.n)
		}
		return
	}
	// Of data that break off the standard library may leave the last symbol
	// unread for want of bits that the end of the block would have.
	if want.err == io.ErrUnexpectedEOF && errors.Is(err, ErrCorrupt) {
		err = want.err
	}
	if !errors.Is(err, want.err) {
		t.Fatalf("failed with %v, want %v", err, want.err)
	}
	if !bytes.HasPrefix(out, want.data) {
		t.Fatalf("gave %d bytes before the error, the standard library others (%d)", len(out), len(want.data))
	}
	if n < 0 || n > len(src) {
		t.Fatalf("took %d bytes of %d", n, len(src))
	}
}

// pieces inflates src as it comes in pieces of the given size.
func pieces(d *Decoder, src []byte, size int) result {
	var out []byte
	taken, have := 0, min(size, len(src))
	out, n, err := d.Member(nil, src[:have])
	for {
		taken += n
		if !errors.Is(err, io.ErrUnexpectedEOF) || have == len(src) {
			return result{out, taken, err}
		}
		have = min(have+size, len(src))
		out, n, err = d.Resume(out, src[taken:have])
	}
}

// comparePieces holds what comes of pieces against what comes of the whole.
func comparePieces(t *testing.T, d *Decoder, src []byte, size int) {
	t.Helper()
	out, n, err := d.Member(nil, src)
	got := pieces(d, src, size)
	var a, b *CorruptError
	if errors.As(err, &a) && errors.As(got.err, &b) {
		err, got.err, got.n = nil, nil, n // found at about the same place
	}
	if got.err != err {
		t.Fatalf("in pieces of %d: %v, want %v", size, got.err, err)
	}
	if !bytes.Equal(got.data, out) || got.n != n {
		t.Fatalf("in pieces of %d: %d bytes of %d, want %d of %d", size, len(got.data), got.n, len(out), n)
	}
}
