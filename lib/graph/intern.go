package graph

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
)

// An interner numbers ids in the order in which they come, from 0. A number of up
// to 18 digits takes 8 bytes and its place in the table, any other id its key's
// bytes too.
type interner struct {
	ids    []uint64 // the number, or textBit and where the key is in blocks
	table  []slot
	free   int // how many more fit into the table
	blocks [][]byte
	key    []byte
}

// slot is a place of the hash table. The hash decides where to look; for a number
// tag is the number itself, so that the table alone tells that it is there.
type slot struct {
	low, high uint32 // of the tag
	index     uint32 // of the id, plus 1; 0: the slot is empty
}

const (
	textBit   = 1 << 63
	blockSize = 4 << 20 // of keys, in bytes
	// A table is at most four fifths full.
	loadNumerator, loadDenominator = 4, 5
	minTable                       = 1 << 10
	// maxVertices is how many ids an index can tell apart.
	maxVertices = 1<<32 - 2
)

// seed differs from process to process, so that nobody can choose ids that all
// fall into one slot. Nothing that is made depends on it.
var seed = maphash.MakeSeed()

func (n *interner) len() int { return len(n.ids) }

// reset forgets all ids and keeps the memory.
func (n *interner) reset() {
	n.ids = n.ids[:0]
	clear(n.table)
	n.free = len(n.table) * loadNumerator / loadDenominator
	if len(n.blocks) > 1 {
		n.blocks = n.blocks[:1]
	}
	if len(n.blocks) > 0 {
		n.blocks[0] = n.blocks[0][:0]
	}
}

// small gives the value of a number that is held as such.
func small(id []byte) (uint64, bool) {
	if len(id) > 18 || len(id) == 0 || id[0] == '0' && len(id) > 1 {
		return 0, false
	}
	var v uint64
	for _, c := range id {
		d := uint64(c) - '0'
		if d > 9 {
			return 0, false
		}
		v = v*10 + d
	}
	return v, true
}

// intern gives the index of an id.
func (n *interner) intern(id []byte) uint32 {
	if v, ok := small(id); ok {
		return n.internNumber(v)
	}
	n.key = AppendKey(n.key[:0], id)
	return n.internText(n.key)
}

// internKey gives the index of the id of a key.
func (n *interner) internKey(key []byte) uint32 {
	if key[0] != textKey {
		if v, ok := small(key[1:]); ok {
			return n.internNumber(v)
		}
	}
	return n.internText(key)
}

func mix(v uint64) uint64 {
	v ^= v >> 32
	v *= 0x9e3779b97f4a7c15
	return v ^ v>>29
}

// start is the slot at which the search for a hash begins.
func (n *interner) start(hash uint64) int {
	high, _ := bits.Mul64(hash*0xd6e8feb86659fd93, uint64(len(n.table)))
	return int(high)
}

func (n *interner) internNumber(v uint64) uint32 {
	if n.free == 0 {
		n.grow()
	}
	low, high := uint32(v), uint32(v>>32)
	for i := n.start(mix(v)); ; {
		s := &n.table[i]
		if s.index == 0 {
			return n.add(s, low, high, v)
		}
		if s.low == low && s.high == high {
			return s.index - 1
		}
		if i++; i == len(n.table) {
			i = 0
		}
	}
}

func (n *interner) internText(key []byte) uint32 {
	if n.free == 0 {
		n.grow()
	}
	hash := maphash.Bytes(seed, key)
	// The highest bit tells the tag from that of a number.
	low, high := uint32(hash), uint32(hash>>32)|1<<31
	for i := n.start(mix(uint64(high)<<32 | uint64(low))); ; {
		s := &n.table[i]
		if s.index == 0 {
			return n.add(s, low, high, textBit|n.store(key))
		}
		if s.low == low && s.high == high && bytes.Equal(n.text(n.ids[s.index-1]), key) {
			return s.index - 1
		}
		if i++; i == len(n.table) {
			i = 0
		}
	}
}

func (n *interner) add(s *slot, low, high uint32, id uint64) uint32 {
	n.free--
	n.ids = append(n.ids, id)
	*s = slot{low, high, uint32(len(n.ids))}
	return s.index - 1
}

func (n *interner) grow() {
	old := n.table
	n.table = make([]slot, max(minTable, len(old)*7/4))
	n.free = len(n.table)*loadNumerator/loadDenominator - len(n.ids)
	for _, s := range old {
		if s.index == 0 {
			continue
		}
		i := n.start(mix(uint64(s.high)<<32 | uint64(s.low)))
		for n.table[i].index != 0 {
			if i++; i == len(n.table) {
				i = 0
			}
		}
		n.table[i] = s
	}
}

// store keeps the bytes of a key, its length first, and says where.
func (n *interner) store(key []byte) uint64 {
	need := len(key) + binary.MaxVarintLen64
	last := len(n.blocks) - 1
	if last < 0 || cap(n.blocks[last])-len(n.blocks[last]) < need {
		n.blocks = append(n.blocks, make([]byte, 0, max(blockSize, need)))
		last++
	}
	block := n.blocks[last]
	place := uint64(last)*blockSize + uint64(len(block))
	block = binary.AppendUvarint(block, uint64(len(key)))
	n.blocks[last] = append(block, key...)
	return place
}

func (n *interner) text(id uint64) []byte {
	id &^= textBit
	block := n.blocks[id/blockSize][id%blockSize:]
	length, size := binary.Uvarint(block)
	return block[size : size+int(length)]
}

// appendID appends the id of an index.
func (n *interner) appendID(dst []byte, index uint32) []byte {
	id := n.ids[index]
	if id&textBit != 0 {
		return append(dst, ID(n.text(id))...)
	}
	return strconv.AppendUint(dst, id, 10)
}

// appendKey appends the key of an index's id.
func (n *interner) appendKey(dst []byte, index uint32) []byte {
	id := n.ids[index]
	if id&textBit != 0 {
		return append(dst, n.text(id)...)
	}
	at := len(dst)
	dst = strconv.AppendUint(append(dst, 0), id, 10)
	dst[at] = '0' + byte(len(dst)-at-1)
	return dst
}

// compare orders indexes as their ids are ordered.
func (n *interner) compare(a, b uint32) int {
	x, y := n.ids[a], n.ids[b]
	if x&y&textBit != 0 {
		return bytes.Compare(n.text(x), n.text(y))
	}
	// Numbers held as such are smaller than all others.
	return cmp.Compare(x, y)
}

// sorted gives all indexes in the order of their ids.
func (n *interner) sorted() []uint32 {
	var numbers, texts []uint32
	var most uint64
	numbers = make([]uint32, 0, len(n.ids))
	for i, id := range n.ids {
		if id&textBit != 0 {
			texts = append(texts, uint32(i))
			continue
		}
		numbers = append(numbers, uint32(i))
		most = max(most, id)
	}
	numbers = n.sortNumbers(numbers, most)
	slices.SortFunc(texts, n.compare)
	return append(numbers, texts...)
}

// sortNumbers sorts indexes of numbers up to most by their digits in base 2048.
func (n *interner) sortNumbers(indexes []uint32, most uint64) []uint32 {
	const digit = 11 // bits
	other := make([]uint32, len(indexes))
	for shift := 0; shift < 64 && most>>shift != 0; shift += digit {
		var counts [1 << digit]int
		for _, i := range indexes {
			counts[n.ids[i]>>shift&(1<<digit-1)]++
		}
		at := 0
		for d, c := range counts {
			counts[d] = at
			at += c
		}
		for _, i := range indexes {
			d := n.ids[i] >> shift & (1<<digit - 1)
			other[counts[d]] = i
			counts[d]++
		}
		indexes, other = other, indexes
	}
	return indexes
}
