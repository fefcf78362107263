//go:build spoil

package buffers

import (
	"bytes"
	"testing"
)

func TestLoan(t *testing.T) {
	window := []byte("first second")
	var l Loan
	first := l.Lend(window[:5])
	if string(first) != "first" || cap(first) != 5 || &first[0] == &window[0] {
		t.Fatalf("lent %q of capacity %d", first, cap(first))
	}
	second := l.Lend(first[:4])
	if string(second) != "firs" || !bytes.Equal(first, bytes.Repeat([]byte{Fill}, 5)) {
		t.Errorf("lent %q, the loan before is %q", second, first)
	}
	l.End()
	if !bytes.Equal(second, bytes.Repeat([]byte{Fill}, 4)) || string(window) != "first second" {
		t.Errorf("after its end a loan is %q, its owner has %q", second, window)
	}
	if l.Lend(nil) != nil {
		t.Error("nothing was lent as something")
	}
}

func TestSpoil(t *testing.T) {
	all := []byte("0123456789")
	Spoil(all[2:4:6])
	if want := "01\xaa\xaa\xaa\xaa6789"; string(all) != want {
		t.Errorf("spoilt %q, want %q", all, want)
	}
}
