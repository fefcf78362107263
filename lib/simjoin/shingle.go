package simjoin

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"archivestream/lib/coverage"
	"archivestream/lib/documents"
	"archivestream/lib/stage"
)

// orderBits is how many bits of a shingle choose its counter.
const orderBits = 18

// What a line of shingle-documents is about: the first letter of its key.
const (
	aboutCounts   = 'c'
	aboutDocument = 'd'
	aboutSet      = 's'
)

// A scanner reads the documents of a task's lines.
type scanner struct {
	task     *stage.Task
	relation *coverage.Relation
	shingler *documents.Shingler
	object   documents.Object
	text     []byte
	id       []byte // escaped
	values   []documents.Value
	kinds    []map[coverage.Kinds]int64 // of each attribute, documents that have it
	set      []uint64                   // shingles
	packed   []byte                     // these, as they lie in a file
	key      uint64
	joins    bool // the document can be one of a pair
}

func newScanner(t *stage.Task, r *coverage.Relation, size, width int) *scanner {
	s := &scanner{task: t, relation: r, shingler: documents.NewShingler(size, 64*width)}
	for range r.Attributes() {
		s.kinds = append(s.kinds, map[coverage.Kinds]int64{})
	}
	return s
}

// scan reads a line; false where it is rejected.
func (s *scanner) scan(line []byte) (bool, error) {
	if err := s.object.Parse(line); err != nil {
		return false, s.task.Reject(err.Error(), line)
	}
	raw := s.object.Raw("id")
	id, ok := documents.AppendString(s.id[len(s.id):], raw)
	if !ok && len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		id, ok = raw, true
	}
	if !ok || len(id) == 0 {
		return false, s.task.Reject("the document has no id", line)
	}
	s.id = stage.AppendEscaped(s.id[:0], id)
	text := s.object.Raw("text")
	s.text, ok = documents.AppendString(s.text[:0], text)
	if !ok && len(text) > 0 && string(text) != "null" {
		return false, s.task.Reject("the text of the document is no string", line)
	}
	s.values = s.values[:0]
	for i, path := range s.relation.Attributes() {
		v := s.object.Attribute(path)
		s.values = append(s.values, v)
		s.kinds[i][coverage.KindsOf(v)]++
	}
	s.key, s.joins = s.relation.TakesPart(s.values)
	s.set = s.shingler.Set(s.text, s.key)
	s.joins = s.joins && len(s.set) > 0
	return true, nil
}

// size is the number of shingles of the document.
func (s *scanner) size() int { return len(s.set) / s.shingler.Width() }

// ShingleDocuments is the mapper that makes sets of documents.
func ShingleDocuments(t *stage.Task, r *coverage.Relation, size, width int) error {
	s := newScanner(t, r, size, width)
	counts := make([]uint32, 1<<orderBits)
	var line []byte
	for in, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(in) == 0 {
			continue
		}
		ok, err := s.scan(in)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		t.Count("documents", 1)
		t.Count("terms", int64(s.shingler.Terms()))
		t.Count("shingles", int64(s.size()))
		line = s.appendDocument(line[:0])
		if err := t.Write(line); err != nil {
			return err
		}
		if !s.joins {
			t.Count("documents that can be in no pair", 1)
			continue
		}
		for i := 0; i < len(s.set); i += width {
			counts[s.set[i]>>(64-orderBits)]++
		}
		line = s.appendSet(line[:0])
		if err := t.Write(line); err != nil {
			return err
		}
	}
	s.countKinds()
	return writeCounts(t, counts)
}

// countKinds counts in how many documents each attribute of the expression is what.
func (s *scanner) countKinds() {
	for i, kinds := range s.kinds {
		for kind, n := range kinds {
			if kind != 0 {
				s.task.Count(attributeCounter(i, kind), n)
			}
		}
	}
}

// attributeCounter names the counter of documents in which an attribute, by its number
// from 1, is of a kind.
func attributeCounter(i int, kind coverage.Kinds) string {
	return fmt.Sprintf("attribute %d in %s", i+1, kind)
}

// appendDocument appends the line of the document's attributes: d and id, nothing,
// JSON with its numbers of bytes, terms and shingles and its own members but the text,
// as package documents says.
func (s *scanner) appendDocument(line []byte) []byte {
	line = append(line, aboutDocument)
	line = append(line, s.id...)
	line = append(line, "\t\t{"...)
	own := s.object.Unique()
	for i, c := range []struct {
		name   string
		number int
	}{{"bytes", len(s.text)}, {"terms", s.shingler.Terms()}, {"shingles", s.size()}} {
		if i > 0 {
			line = append(line, ',')
		}
		underscores := 0
		for _, m := range own {
			underscores = max(underscores, documents.Underscores(string(m.Name), c.name)+1)
		}
		line = fmt.Appendf(line, `"%s%s":%d`, strings.Repeat("_", underscores), c.name, c.number)
	}
	for _, m := range own {
		if string(m.Name) == "text" {
			continue
		}
		line = documents.AppendName(append(line, ','), m.Name)
		line = documents.AppendStrict(append(line, ':'), m.Raw)
	}
	return append(line, '}')
}

// appendSet appends the line of the document's set: s, group, size and digest; id;
// key, values, set.
func (s *scanner) appendSet(line []byte) []byte {
	digest := digestOf(s.set, s.shingler.Width())
	line = append(line, aboutSet)
	line = appendHex(line, uint64(group(s.key)), 4)
	line = appendHex(line, uint64(s.size()), 8)
	line = hex.AppendEncode(line, digest[:])
	line = append(append(line, '\t'), s.id...)
	line = appendHex(append(line, '\t'), s.key, 16)
	var value []byte
	for _, v := range s.values {
		value = v.Append(value[:0])
		line = stage.AppendEscaped(append(line, '\t'), value)
	}
	line = append(line, '\t')
	s.packed = appendWords(s.packed[:0], s.set)
	return base64.RawStdEncoding.AppendEncode(line, s.packed)
}

// writeCounts writes the task's counters: c, number of the task, and for each that is
// not zero two uvarints, the distance from the one before and the count.
func writeCounts(t *stage.Task, counts []uint32) error {
	var packed []byte
	last := 0
	for i, n := range counts {
		if n > 0 {
			packed = binary.AppendUvarint(packed, uint64(i-last))
			packed = binary.AppendUvarint(packed, uint64(n))
			last = i
		}
	}
	line := append(strconv.AppendInt([]byte{aboutCounts, '\t'}, int64(t.Partition()), 10), '\t')
	return t.Write(base64.RawStdEncoding.AppendEncode(line, packed))
}

func appendHex(dst []byte, n uint64, digits int) []byte {
	const hexDigits = "0123456789abcdef"
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[n>>shift&15])
	}
	return dst
}

// digestOf is the same for equal sets, in whatever order their shingles are: two sums
// of products, over 2^64, of what is random already.
func digestOf(set []uint64, width int) (d [16]byte) {
	var first, second uint64
	for i := 0; i < len(set); i += width {
		w := set[i]
		if width == 2 {
			w ^= bits.RotateLeft64(set[i+1], 32) * 0x9fb21c651e98df25
		}
		high, low := bits.Mul64(w^0xa0761d6478bd642f, w|1)
		first += high ^ low
		high, low = bits.Mul64(w^0xe7037ed1a0b428db, bits.RotateLeft64(w, 29)|1)
		second += high ^ low
	}
	binary.BigEndian.PutUint64(d[:8], first)
	binary.BigEndian.PutUint64(d[8:], second)
	return d
}
