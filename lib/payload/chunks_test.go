package payload

import (
	"io"
	"strings"
	"testing"
)

func TestDechunker(t *testing.T) {
	for _, test := range []struct {
		in, want string
		sound    bool
	}{
		{"5\r\nhello\r\n0\r\n\r\n", "hello", true},
		{"5\nhello\n0\n\n", "hello", true},
		{"0005 \r\nhello\r\n0\r\nX-Trailer: a\r\n\r\nrest", "hello", true},
		{"A\r\n0123456789\r\n0\r\n\r\n", "0123456789", true},
		{"a;name=value\r\n0123456789\r\n0\r\n\r\n", "0123456789", true},
		{"5\r\nhel", "hel", true},
		{"", "", false},
		{"5", "", false},
		{"5\r\nhello\r\n", "hello", true},
		{"5\r\nhelloX\r\n", "hello", false},
		{"<html>\n", "", false},
		{"-5\r\nhello\r\n", "", false},
		{"fffffffffffffffff\r\nhello\r\n", "", false},
		{strings.Repeat("0", maxChunkLine) + "5\r\nhello", "", false},
	} {
		for _, step := range []int{1, 2, 3, 1 << 20} {
			var out strings.Builder
			d := &Dechunker{Out: &out}
			for rest := test.in; rest != ""; {
				n := min(step, len(rest))
				if m, err := io.WriteString(d, rest[:n]); m != n || err != nil {
					t.Fatalf("%q: %d, %v", test.in, m, err)
				}
				rest = rest[n:]
			}
			if out.String() != test.want || d.Sound() != test.sound {
				t.Errorf("%.40q by %d: %q, %t; want %q, %t", test.in, step, out.String(), d.Sound(), test.want, test.sound)
			}
		}
	}
}
