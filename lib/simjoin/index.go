package simjoin

import (
	"fmt"
	"io"
	"math/bits"
	"slices"

	"archivestream/lib/coverage"
)

// An index holds one block in memory, and which of its sets have a shingle among
// their rarest.
type index struct {
	relation *coverage.Relation
	base     string
	width    int
	values   int // of a document
	sets     []indexed
	words    []uint64
	members  []byte
	heads    []uint32 // of the postings of each bucket; one more than there are buckets
	postings []posting
	shift    uint // of a word to what a posting checks
	mask     uint64
}

// indexed is a set in memory.
type indexed struct {
	size      int32
	count     int32
	key       uint64
	digest    [16]byte
	words     int // where its shingles begin
	members   int // where its documents' description begins
	described []member
}

// A posting says that a set has a shingle at a position. Two shingles of one bucket
// that have the same check are taken for equal here: that can only make a pair be
// compared in vain.
type posting struct {
	check    uint32
	set      int32
	position int32
}

// loadIndex reads a block and indexes it.
func loadIndex(name string, r *coverage.Relation) (*index, error) {
	x := &index{relation: r, values: len(r.Attributes())}
	if err := x.readSome(name, 1); err != nil {
		return nil, err
	}
	x.build()
	return x, nil
}

// readSome adds one of so many sets of a block.
func (x *index) readSome(name string, one uint64) error {
	in, err := openBlock(name)
	if err != nil {
		return err
	}
	defer in.close()
	if x.width != 0 && x.width != in.width {
		return fmt.Errorf("%s: %d bits per shingle, others have %d", name, 64*in.width, 64*x.width)
	}
	x.base, x.width = in.base(), in.width
	// The file's size bounds what its sets and documents take.
	x.words = slices.Grow(x.words, int(uint64(in.file.Size()/8)/one+1))
	var r record
	for {
		err := in.next(&r)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if inSample(&r, one) {
			x.add(&r)
		}
	}
}

// add takes over a record.
func (x *index) add(r *record) {
	x.sets = append(x.sets, indexed{size: int32(r.size), count: int32(r.count), key: r.key, digest: r.digest, words: len(x.words), members: len(x.members)})
	x.words = append(x.words, r.words...)
	x.members = append(x.members, r.members...)
}

func (x *index) set(i int) []uint64 {
	s := &x.sets[i]
	return x.words[s.words : s.words+int(s.size)*x.width]
}

// documents gives what the record says of its documents.
func (x *index) documents(i int) ([]member, error) {
	s := &x.sets[i]
	if s.described == nil {
		end := len(x.members)
		if i+1 < len(x.sets) {
			end = x.sets[i+1].members
		}
		var err error
		if s.described, err = appendMembers(nil, x.members[s.members:end], int(s.count), x.values); err != nil {
			return nil, fmt.Errorf("%s: %w", x.base, err)
		}
	}
	return s.described, nil
}

// prefix is how many shingles of a set, the rarest, have to be indexed: one of them is
// in every set of the same size or larger that is a partner.
func prefix(r *coverage.Relation, size int) int { return max(0, size-r.Needed(size, size)+1) }

// build makes the postings: counted first, so that they take no more memory than they
// need.
func (x *index) build() {
	total := 0
	last, n := -1, 0
	prefixes := make([]int32, len(x.sets))
	for i := range x.sets {
		if size := int(x.sets[i].size); size != last {
			last, n = size, prefix(x.relation, size)
		}
		prefixes[i] = int32(n)
		total += n
	}
	x.shift = uint(bits.Len(uint(max(total/2, 1))))
	x.mask = 1<<x.shift - 1
	x.heads = make([]uint32, x.mask+2)
	x.postings = make([]posting, total)
	for i := range x.sets {
		set := x.set(i)
		for p := range int(prefixes[i]) {
			x.heads[set[p*x.width]&x.mask]++
		}
	}
	sum := uint32(0)
	for b, n := range x.heads {
		sum += n
		x.heads[b] = sum
	}
	// From the last set to the first, so that the postings of a bucket ascend.
	for i := len(x.sets) - 1; i >= 0; i-- {
		set := x.set(i)
		for p := int(prefixes[i]) - 1; p >= 0; p-- {
			word := set[p*x.width]
			b := word & x.mask
			x.heads[b]--
			x.postings[x.heads[b]] = posting{uint32(word >> x.shift), int32(i), int32(p)}
		}
	}
}
