package enrich

import (
	"bytes"
	"strings"
	"testing"
)

// No line of a program is one of the streaming protocol, however it is cut.
func TestSaidLinesArePrefixed(t *testing.T) {
	long := strings.Repeat("x", 2*maxSaid+5)
	text := "reporter:counter:a,b,1\n\nreporter:status:x\r\n" + long + "reporter:counter:a,b,2\nreporter:counter:a,b,3"
	want := "program: reporter:counter:a,b,1\nprogram: \nprogram: reporter:status:x\r\nprogram: " + long[:maxSaid] + "\nprogram: " +
		long[:maxSaid] + "\nprogram: xxxxxreporter:counter:a,b,2\nprogram: reporter:counter:a,b,3\n"
	for _, size := range []int{1, 2, 7, maxSaid - 1, maxSaid, maxSaid + 1, 1 << 20} {
		var out pieces
		w := &saidWriter{to: &out}
		for rest := []byte(text); len(rest) > 0; {
			n, err := w.Write(rest[:min(size, len(rest))])
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		if err := w.close(); err != nil { // once more adds nothing
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("in pieces of %d: %q", size, out.String())
		}
		if out.most > 4096 {
			t.Errorf("in pieces of %d: %d bytes were written at a time", size, out.most)
		}
	}
}

// pieces keeps the size of the largest write.
type pieces struct {
	bytes.Buffer
	most int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.most = max(p.most, len(b))
	return p.Buffer.Write(b)
}
