package inflate

import (
	"bytes"
	"testing"
)

// TestRealMembers holds every member of real archive files against the standard
// library, and what follows the last sound one too.
func TestRealMembers(t *testing.T) {
	d := Decoder{Limit: 64 << 20}
	buf := make([]byte, 0, 1<<20)
	members := 0
	for path, data := range archiveFiles(t) {
		for at := 0; at < len(data); members++ {
			src := data[at:]
			out, n, err := d.Member(buf, src)
			if err == ErrTooLarge {
				t.Logf("%s at %d: larger than %d bytes", path, at, d.Limit)
				break
			}
			want := standard(src)
			if want.err != nil {
				compare(t, &d, src)
				break
			}
			if err != nil || n != want.n || !bytes.Equal(out, want.data) {
				t.Fatalf("%s at %d: %d bytes of %d and %v, want %d of %d", path, at, len(out), n, err, len(want.data), want.n)
			}
			at += n
		}
	}
	t.Logf("%d members", members)
}
