package inflate

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestCodes(t *testing.T) {
	const end = 256
	two := map[int]int{'a': 1, end: 1} // code 0 is a, 1 the end
	withLength := map[int]int{'a': 1, end: 2, 257: 2}
	var long []int
	for i := range 15 {
		long = append(long, 'a'+i)
	}
	long = append(long, end)

	type step struct{ v, n int } // codes, the highest bit first
	for name, c := range map[string]struct {
		lits, dists []int
		codes       []step
		want        string
		err         error
	}{
		"literals only, no distance code":     {lengthsOf(257, two), []int{0}, []step{{0, 1}, {0, 1}, {1, 1}}, "aa", nil},
		"only the end, one code of one bit":   {lengthsOf(257, map[int]int{end: 1}), []int{0}, []step{{0, 1}}, "", nil},
		"the other half of a one-bit code":    {lengthsOf(257, map[int]int{end: 1}), []int{0}, []step{{1, 1}}, "", ErrCorrupt},
		"one code of two bits":                {lengthsOf(257, map[int]int{end: 2}), []int{0}, []step{{0, 2}}, "", ErrCorrupt},
		"no code":                             {lengthsOf(257, nil), []int{0}, []step{{0, 1}}, "", ErrCorrupt},
		"no end of the block":                 {lengthsOf(257, map[int]int{'a': 1, 'b': 1}), []int{0}, []step{{0, 1}, {1, 1}}, "", io.ErrUnexpectedEOF},
		"incomplete":                          {lengthsOf(257, map[int]int{'a': 1, end: 2}), []int{0}, []step{{0, 1}, {2, 2}}, "", ErrCorrupt},
		"over-subscribed":                     {lengthsOf(257, map[int]int{'a': 1, 'b': 1, end: 1}), []int{0}, []step{{0, 1}}, "", ErrCorrupt},
		"one distance of one bit":             {lengthsOf(258, withLength), []int{1}, []step{{0, 1}, {3, 2}, {0, 1}, {2, 2}}, "aaaa", nil},
		"one distance of one bit, other half": {lengthsOf(258, withLength), []int{1}, []step{{0, 1}, {3, 2}, {1, 1}, {2, 2}}, "a", ErrCorrupt},
		"one distance of two bits":            {lengthsOf(258, withLength), []int{2}, []step{{0, 1}, {2, 2}}, "", ErrCorrupt},
		"two distances":                       {lengthsOf(258, withLength), []int{1, 1}, []step{{0, 1}, {0, 1}, {3, 2}, {1, 1}, {2, 2}}, "aaaaa", nil},
		"incomplete distances":                {lengthsOf(258, withLength), []int{1, 2}, []step{{0, 1}, {2, 2}}, "", ErrCorrupt},
		"over-subscribed distances":           {lengthsOf(258, withLength), []int{1, 1, 1}, []step{{0, 1}, {2, 2}}, "", ErrCorrupt},
		"a length without distances":          {lengthsOf(258, withLength), []int{0}, []step{{0, 1}, {3, 2}}, "a", ErrCorrupt},
		"a distance before the begin":         {lengthsOf(258, withLength), []int{1, 1}, []step{{0, 1}, {3, 2}, {1, 1}, {2, 2}}, "a", ErrCorrupt},
		"long codes of distances":             {ladder(258, append(long[:14:14], end, 257)), ladder(30, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), []step{{0, 1}, {2, 2}, {6, 3}, {0x7fff, 15}, {6, 3}, {0x7fff, 15}, {6, 3}, {0x7fff, 15}, {6, 3}, {0x7fff, 15}, {6, 3}, {0x7fff, 15}, {6, 3}, {0x7fff, 15}, {0x1fe, 9}, {0, 3}, {0x7ffe, 15}}, "abcabcabcabcabcabcbca", nil},
		"287 literal and length codes":        {lengthsOf(287, two), []int{0}, []step{{1, 1}}, "", ErrCorrupt},
		"31 distance codes":                   {lengthsOf(257, two), lengthsOf(31, nil), []step{{1, 1}}, "", ErrCorrupt},
		"30 distance codes, 286 length codes": {lengthsOf(286, two), lengthsOf(30, nil), []step{{1, 1}}, "", nil},
		"literals of a subtable":              {ladder(257, long), []int{0}, []step{{0x7ffe, 15}, {0x1ffe, 13}, {0x7ffe, 15}, {0, 1}, {0x7fff, 15}}, "omoa", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var w writer
			w.dynamic(c.lits, c.dists)
			for _, s := range c.codes {
				w.code(s.v, s.n)
			}
			var d Decoder
			// Once as it is, near the end of the input, and once far from it.
			for _, behind := range []string{"", strings.Repeat("x", 100)} {
				src := framed(w.out, []byte(c.want))
				if c.err != io.ErrUnexpectedEOF {
					src = append(src, behind...)
				}
				compare(t, &d, src)
				out, _, err := d.Member(nil, src)
				if string(out) != c.want && c.err != io.ErrUnexpectedEOF || !errors.Is(err, c.err) {
					t.Errorf("gave %q and %v, want %q and %v", out, err, c.want, c.err)
				}
			}
		})
	}
}

// TestCodeLengths damages the head of a dynamic block in the ways in which code
// lengths can be written wrongly.
func TestCodeLengths(t *testing.T) {
	type field struct{ v, n int } // the lowest bit first
	// The code of code lengths has a bit each for the symbol (0) and for 18 (1).
	head := func(symbol int, rest ...field) []byte {
		var w writer
		for _, f := range []field{{1, 1}, {kindDynamic, 2}, {0, 5}, {0, 5}, {numPre - 4, 4}} {
			w.bits(f.v, f.n)
		}
		for _, p := range preOrder {
			if int(p) == symbol || p == 18 {
				w.bits(1, 3)
			} else {
				w.bits(0, 3)
			}
		}
		for _, f := range rest {
			w.bits(f.v, f.n)
		}
		return w.out
	}
	zeros := func(n int) field { return field{1 | (n-11)<<1, 8} }
	one := field{0, 1}
	for name, c := range map[string]struct {
		head []byte
		err  error
	}{
		"ten too many":        {head(1, zeros(138), zeros(118), one, zeros(11), field{0, 64}), ErrCorrupt},
		"only the end":        {head(1, zeros(138), zeros(118), one, one, field{0, 1}), nil},
		"repeats nothing":     {head(16, one, field{0, 2}, field{0, 64}), ErrCorrupt},
		"repeats zeros":       {head(16, zeros(138), one, field{3, 2}, zeros(103), zeros(11), field{0, 64}), ErrCorrupt},
		"repeats too far":     {head(17, zeros(138), zeros(118), one, field{0, 3}, field{0, 64}), ErrCorrupt},
		"one code, the other": {head(1, zeros(138), zeros(118), one, one, field{1, 1}), ErrCorrupt},
		"no code at all":      {append([]byte{5}, make([]byte, 60)...), ErrCorrupt},
		"reserved kind":       {bytes.Repeat([]byte{7}, 50), ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			src := framed(c.head, nil)
			compare(t, &d, src)
			compare(t, &d, append(src, make([]byte, 100)...))
			if out, _, err := d.Member(nil, src); len(out) != 0 || !errors.Is(err, c.err) {
				t.Errorf("gave %q and %v, want %v", out, err, c.err)
			}
			for i := range src[:len(src)-trailerSize] {
				compare(t, &d, src[:i])
			}
		})
	}
}
