package warc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestLengthIntoALineFarAhead reads a record whose length leads far past the next one,
// into a line that holds a URL in its URL: what is read there to judge it must not be
// taken for what stands before it.
func TestLengthIntoALineFarAhead(t *testing.T) {
	const address = " 192.0.2.1 20200102030405 text/html "
	line := func(url string, length int) string { return fmt.Sprintf("%s%s%d\n", url, address, length) }
	body := strings.Repeat("0123456789abcde\n", (2*readWindow)/16)
	outer := "http://example.org/third?of="
	// The second record begins one byte behind where the text before the length's place is read from.
	second := line("http://example.org/second", 4096-len(line("http://example.org/second", 4000))-2-len(outer))
	filler := strings.Repeat("x", 4096-1-len(second)-1-len(outer))
	second = line("http://example.org/second", len(filler))
	if len("\n"+second+filler+"\n"+outer) != arcLineLimit {
		t.Fatal("the second record is not where it should be")
	}
	third := line(outer+"http://example.org/inner", 4)
	claimed := len(body) + len("\n"+second+filler+"\n"+outer)
	file := line("http://example.org/first", claimed) + body + "\n" + second + filler + "\n" + third + "four\n"
	r := NewReader(bytes.NewReader([]byte(file)), int64(len(file)), Options{})
	var got []string
	for record, err := range r.Records() {
		if err != nil {
			t.Errorf("defect: %v", err)
			continue
		}
		got = append(got, fmt.Sprint(record.TargetURI(), " ", record.ContentLength))
	}
	want := []string{fmt.Sprint("http://example.org/first ", len(body)), fmt.Sprint("http://example.org/second ", len(filler)), outer + "http://example.org/inner 4"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
