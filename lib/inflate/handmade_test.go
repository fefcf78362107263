package inflate

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// A writer puts bits together, the lowest first.
type writer struct {
	out []byte
	n   int // bits used of the last byte; 0: all
}

func (w *writer) bits(v, n int) {
	for i := range n {
		if w.n == 0 {
			w.out = append(w.out, 0)
		}
		w.out[len(w.out)-1] |= byte(v>>i&1) << w.n
		w.n = (w.n + 1) % 8
	}
}

// code puts a Huffman code, the highest bit first.
func (w *writer) code(v, n int) { w.bits(int(bits.Reverse32(uint32(v))>>(32-n)), n) }

// fixed puts a symbol of a fixed block.
func (w *writer) fixed(symbol int) {
	switch {
	case symbol < 144:
		w.code(0x30+symbol, 8)
	case symbol < 256:
		w.code(0x190+symbol-144, 9)
	case symbol < 280:
		w.code(symbol-256, 7)
	default:
		w.code(0xc0+symbol-280, 8)
	}
}

// match puts a length and a distance in a fixed block.
func (w *writer) match(length, dist int) {
	base := func(symbol int) int { return minMatch + int(litAlphabet.meaning[symbol]>>lengthAt) }
	symbol := 285
	for length < 258 && base(symbol) > length || symbol == 285 && length < 258 {
		symbol--
	}
	w.fixed(symbol)
	w.bits(length-base(symbol), int(litAlphabet.meaning[symbol]>>takenAt&bitCount))
	symbol = maxDist - 1
	for int(distAlphabet.meaning[symbol]>>valueAt) > dist {
		symbol--
	}
	w.code(symbol, 5)
	w.bits(dist-int(distAlphabet.meaning[symbol]>>valueAt), int(distAlphabet.meaning[symbol]&bitCount))
}

// stored puts a stored block.
func (w *writer) stored(data []byte, final int) {
	w.bits(final, 1)
	w.bits(kindStored, 2)
	w.n = 0
	w.out = binary.LittleEndian.AppendUint16(w.out, uint16(len(data)))
	w.out = binary.LittleEndian.AppendUint16(w.out, ^uint16(len(data)))
	w.out = append(w.out, data...)
}

// dynamic puts the head of a last, dynamic block with these code lengths, each in
// four bits.
func (w *writer) dynamic(lits, dists []int) {
	w.bits(1, 1)
	w.bits(kindDynamic, 2)
	w.bits(len(lits)-257, 5)
	w.bits(len(dists)-1, 5)
	w.bits(numPre-4, 4)
	for _, symbol := range preOrder {
		if symbol < 16 {
			w.bits(4, 3)
		} else {
			w.bits(0, 3)
		}
	}
	for _, n := range append(lits[:len(lits):len(lits)], dists...) {
		w.code(n, 4)
	}
}

// framed gives blocks as a member whose data are those.
func framed(blocks, data []byte) []byte {
	out := append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}, blocks...)
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(out, uint32(len(data)))
}

// lengthsOf gives code lengths: size zeros but for those of the symbols.
func lengthsOf(size int, of map[int]int) []int {
	lengths := make([]int, size)
	for symbol, n := range of {
		lengths[symbol] = n
	}
	return lengths
}

// ladder gives the code lengths 1, 2 … 14, 15, 15 to sixteen symbols.
func ladder(size int, symbols []int) []int {
	lengths := make([]int, size)
	for i, symbol := range symbols {
		lengths[symbol] = min(i+1, maxLen)
	}
	return lengths
}
