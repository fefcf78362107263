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
// table. The arrays have room for the largest set of subtables (2,342 and 402
// entries in all, by zlib's examples/enough.c) and a size that is a power of two,
// so that a masked index needs no check.
const (
	litBits  = 11
	distBits = 8
	preBits  = 7

	litSize  = 1 << 12
	distSize = 1 << 9
)

type (
	litTable  [litSize]entry
	distTable [distSize]entry
	preTable  [1 << preBits]entry
)

// An entry says what the bits that lead to it mean:
//
//	31      it is a literal
//	16…30   the literal, the base of the length or distance, or where the
//	        subtable begins
//	15      it is exceptional: 14 or 13 says how, or the code is not used
//	14      the bits go on in a subtable
//	13      it is the end of the block
//	8…11    how many bits the code has in this table; of a subtable its width
//	0…7     how many bits it takes with its extra bits
type entry uint32

const (
	literal     entry = 1 << 31
	exceptional entry = 1 << 15
	subtable    entry = 1 << 14
	endOfBlock  entry = 1 << 13

	valueAt = 16
	codeAt  = 8
	taken   = 0xff // mask of the bits that an entry takes

	// perBit is what each bit of its code adds to an entry.
	perBit entry = 1<<codeAt | 1
)

// What the symbols mean, as entries without their code. The codes of the fixed
// blocks have two more symbols each, which must not occur.
var (
	litMeaning  [maxLit + 2]entry
	distMeaning [maxDist + 2]entry
	preMeaning  [numPre]entry

	fixedLit  = new(litTable)
	fixedDist = new(distTable)
)

func init() {
	for i := range 256 {
		litMeaning[i] = literal | entry(i)<<valueAt
	}
	litMeaning[256] = exceptional | endOfBlock
	length := entry(3)
	for i := 257; i < 285; i++ {
		extra := entry(max(0, (i-261)/4))
		litMeaning[i] = length<<valueAt | extra
		length += 1 << extra
	}
	litMeaning[285] = 258 << valueAt
	litMeaning[286], litMeaning[287] = exceptional, exceptional

	dist := entry(1)
	for i := range maxDist {
		extra := entry(max(0, (i-2)/2))
		distMeaning[i] = dist<<valueAt | extra
		dist += 1 << extra
	}
	distMeaning[30], distMeaning[31] = exceptional, exceptional

	for i := range preMeaning {
		preMeaning[i] = entry(i) << valueAt
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
	s.build(fixedLit[:], litBits, lengths[:], litMeaning[:])
	s.build(fixedDist[:], distBits, dists[:maxDist+2], distMeaning[:])
}

// A sorter makes tables of codes given by their lengths.
type sorter struct {
	symbols [maxLit + 2]uint16 // that have a code, the shortest first
}

// build makes the table of a canonical Huffman code. It is false if the lengths
// make no code: each sequence of bits must lead to a symbol, except that, as in
// zlib and the standard library, there may be one code of one bit, or none.
func (s *sorter) build(table []entry, width int, lengths []uint8, meaning []entry) bool {
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
		for i := range table[:1<<width] {
			table[i] = exceptional
		}
		if total == 1 {
			for i := 0; i < 1<<width; i += 2 {
				table[i] = meaning[s.symbols[0]] + perBit
			}
		}
		return true
	}
	s.fill(table, width, &counts, meaning)
	return true
}

// fill writes the entries of a complete code. The codes are counted up with
// their bits reversed, as they lie in the data. The part of the table that codes
// of up to n bits make is doubled when n grows.
func (s *sorter) fill(table []entry, width int, counts *[maxLen + 1]int, meaning []entry) {
	n := 1
	for counts[n] == 0 {
		n++
	}
	code, filled := 0, 1<<n
	at := 0
	for n <= width {
		for range counts[n] {
			table[code] = meaning[s.symbols[at]] + entry(n)*perBit
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
				table[prefix] = exceptional | subtable | entry(start)<<valueAt | entry(wide)<<codeAt | entry(width)
			}
			e := meaning[s.symbols[at]] + entry(n-width)*perBit
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
