package inflate

import "math/bits"

// Sizes of the codes, RFC 1951, sections 3.2.5 to 3.2.7.
const (
	maxLit  = 286
	maxDist = 30
	numPre  = 19
	maxLen  = 15 // bits of a code
)

// Widths of the tables in bits. Longer codes go on in a subtable behind the
// table. The arrays have room for the largest set of subtables (1,334 and 402
// entries in all, by zlib's examples/enough.c) and a size that is a power of two,
// so that a masked index needs no check.
const (
	litBits  = 10
	distBits = 8
	preBits  = 7

	litSize  = 1 << 11
	distSize = 1 << 9
)

// tables are those of a block.
type tables struct {
	lit  [litSize]entry
	dist [distSize]entry
}

type preTable [1 << preBits]entry

// An entry says what the bits that lead to it mean. In a table of literals and
// lengths it is one of
//
//	literal      30 and 31; 8…15 the literal; 0…5 how many bits it takes
//	length       22…29 the base of the length, less 3; 14…19 how many bits it takes
//	             with its extra bits; 8…11 of these the code
//	subtable     29 and 31; 22…25 its width; 8…19 where it begins
//	end of block 28 and 31; 14…19 how many bits it takes
//	no code      31
//
// so that an entry taken for a literal takes no bits if it is none, and in the other
// tables one of
//
//	value        16…30 the base of the distance, or the symbol; 8…11 how many bits
//	             the code has; 0…5 how many with its extra bits
//	subtable     15 and 31; 16…24 where it begins; 8…11 its width
//	no code      31
type entry uint32

const (
	odd        entry = 1 << 31 // it is no length or value
	literal    entry = 1 << 30
	litSub     entry = 1 << 29
	endOfBlock entry = 1 << 28
	distSub    entry = 1 << 15

	byteAt   = 8
	lengthAt = 22
	takenAt  = 14
	codeAt   = 8
	valueAt  = 16
	bitCount = 63 // mask of a number of bits
	minMatch = 3
)

// An alphabet says how the entries of a kind of table are put together.
type alphabet struct {
	width    int
	meaning  []entry // of the symbols, without their codes
	perBit   []entry // what each bit of its code adds to a symbol's entry
	subtable entry
	startAt  int // in the entry of a subtable: where it begins
	widthAt  int
}

// The codes of the fixed blocks have two more symbols each, which must not occur.
var (
	litAlphabet  = newAlphabet(litBits, maxLit+2, litSub|odd, byteAt, lengthAt)
	distAlphabet = newAlphabet(distBits, maxDist+2, distSub|odd, valueAt, codeAt)
	preAlphabet  = newAlphabet(preBits, numPre, odd, valueAt, codeAt)

	fixed tables
)

func newAlphabet(width, symbols int, subtable entry, startAt, widthAt int) *alphabet {
	return &alphabet{width, make([]entry, symbols), make([]entry, symbols), subtable, startAt, widthAt}
}

func init() {
	for i := range 256 {
		litAlphabet.meaning[i], litAlphabet.perBit[i] = literal|odd|entry(i)<<byteAt, 1
	}
	litAlphabet.meaning[256], litAlphabet.perBit[256] = endOfBlock|odd, 1<<takenAt
	length := entry(0)
	for i := 257; i < maxLit; i++ {
		extra := entry(max(0, (i-261)/4))
		if i == 285 {
			length, extra = 258-minMatch, 0
		}
		litAlphabet.meaning[i], litAlphabet.perBit[i] = length<<lengthAt|extra<<takenAt, 1<<takenAt|1<<codeAt
		length += 1 << extra
	}
	dist := entry(1)
	for i := range maxDist {
		extra := entry(max(0, (i-2)/2))
		distAlphabet.meaning[i], distAlphabet.perBit[i] = dist<<valueAt|extra, 1<<codeAt|1
		dist += 1 << extra
	}
	for i := range numPre {
		preAlphabet.meaning[i], preAlphabet.perBit[i] = entry(i)<<valueAt, 1<<codeAt|1
	}
	for _, a := range []*alphabet{litAlphabet, distAlphabet} {
		for i := len(a.meaning) - 2; i < len(a.meaning); i++ {
			a.meaning[i] = odd
		}
	}

	var lengths, dists [maxLit + 2]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
		dists[i] = 5
	}
	var s sorter
	s.build(fixed.lit[:], litAlphabet, lengths[:])
	s.build(fixed.dist[:], distAlphabet, dists[:maxDist+2])
}

// entry is that of a symbol with a code of n bits.
func (a *alphabet) entry(symbol uint16, n int) entry {
	return a.meaning[symbol] + entry(n)*a.perBit[symbol]
}

// A sorter makes tables of codes given by their lengths.
type sorter struct {
	symbols [maxLit + 2]uint16 // that have a code, the shortest first
}

// build makes the table of a canonical Huffman code. It is false if the lengths
// make no code: each sequence of bits must lead to a symbol, except that, as in
// zlib and the standard library, there may be one code of one bit, or none.
func (s *sorter) build(table []entry, a *alphabet, lengths []uint8) bool {
	var counts [maxLen + 1]int
	for _, n := range lengths {
		counts[n&maxLen]++
	}
	var next [maxLen + 2]int
	counts[0] = 0
	space := 0
	for n := 1; n <= maxLen; n++ {
		next[n+1] = next[n] + counts[n]
		space = space<<1 + counts[n]
	}
	total := next[maxLen+1]
	if space != 1<<maxLen && !(total == 0 || total == 1 && counts[1] == 1) {
		return false
	}
	for i, n := range lengths {
		if n != 0 {
			s.symbols[next[n&maxLen]] = uint16(i)
			next[n&maxLen]++
		}
	}
	if space != 1<<maxLen {
		for i := range table[:1<<a.width] {
			table[i] = odd
		}
		if total == 1 {
			for i := 0; i < 1<<a.width; i += 2 {
				table[i] = a.entry(s.symbols[0], 1)
			}
		}
		return true
	}
	s.fill(table, a, &counts)
	return true
}

// fill writes the entries of a complete code. The codes are counted up with
// their bits reversed, as they lie in the data. The part of the table that codes
// of up to n bits make is doubled when n grows.
func (s *sorter) fill(table []entry, a *alphabet, counts *[maxLen + 1]int) {
	width := a.width
	n := 1
	for counts[n] == 0 {
		n++
	}
	code, filled := 0, 1<<n
	at := 0
	for n <= width {
		for range counts[n] {
			table[code] = a.entry(s.symbols[at], n)
			at++
			if code == filled-1 {
				for ; n < width; n++ {
					copy(table[filled:2*filled], table[:filled])
					filled *= 2
				}
				return
			}
			code = increment(code, filled)
		}
		if n++; n <= width {
			copy(table[filled:2*filled], table[:filled])
			filled *= 2
		}
	}
	// The rest share their first bits by subtable.
	end, prefix, start := 1<<width, -1, 0
	for ; ; n++ {
		for left := counts[n]; left > 0; left-- {
			if code&(1<<width-1) != prefix {
				prefix = code & (1<<width - 1)
				start = end
				wide := n - width
				for used := left; used < 1<<wide; used = used<<1 + counts[width+wide] {
					wide++
				}
				end = start + 1<<wide
				table[prefix] = a.subtable | entry(start)<<a.startAt | entry(wide)<<a.widthAt
			}
			e := a.entry(s.symbols[at], n)
			at++
			for i := start + code>>width; i < end; i += 1 << (n - width) {
				table[i] = e
			}
			if code == 1<<n-1 {
				return
			}
			code = increment(code, 1<<n)
		}
	}
}

// increment gives the code behind code, both with their bits reversed. size is
// 1 << the code's bits; the code is not the last of these, all ones.
func increment(code, size int) int {
	bit := 1 << (bits.Len(uint(code^(size-1))) - 1)
	return code&(bit-1) | bit
}
