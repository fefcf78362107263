package simjoin

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// maxMembers is how many documents one record describes; more of the same set go to
// further ones.
const maxMembers = 1 << 16

// GroupOptions say what group-sets makes.
type GroupOptions struct {
	Values    int   // of a document: attributes of the expression
	Width     int   // words of a shingle
	BlockSize int64 // bytes of a block's sets and documents
	// Generation is how often documents have been added: blocks of several have
	// different names.
	Generation int
}

// GroupSets is the reducer that makes one record of all documents with the same set,
// in blocks (side files _blocks/), sums up the counters (side file _counts), and writes
// the documents as id TAB JSON, sorted, each id once.
func GroupSets(t *stage.Task, o GroupOptions) error {
	g := &grouper{task: t, options: o}
	documents := documentLister{task: t}
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		switch group.Key[0] {
		case aboutCounts:
			err = sumCounts(t, group)
		case aboutDocument:
			err = documents.list(group.Key[1:], group)
		default:
			err = g.group(group)
		}
		if err != nil {
			return err
		}
	}
	return g.closeBlock()
}

// A grouper writes blocks.
type grouper struct {
	task    *stage.Task
	options GroupOptions
	record  record
	fields  [][]byte
	members [][]byte
	decoded []byte // set of the line, as it lies in a file
	file    storage.Writer
	block   *blockWriter
	bytes   int64 // in the block
	blocks  int
}

func (g *grouper) group(in *stage.Group) error {
	r := &g.record
	key := in.Key[1:]
	if len(key) != 4+8+32 {
		return fmt.Errorf("set %q: no key of shingle-documents", in.Key)
	}
	size, err := strconv.ParseUint(string(key[4:12]), 16, 32)
	if err != nil {
		return fmt.Errorf("set %q: %w", in.Key, err)
	}
	r.size = int(size)
	if _, err := hex.Decode(r.digest[:], key[12:]); err != nil {
		return fmt.Errorf("set %q: %w", in.Key, err)
	}
	r.count, r.members = 0, r.members[:0]
	g.task.Count("sets", 1)
	var last []byte
	for value, err := range in.Values() {
		if err != nil {
			return err
		}
		g.fields = stage.Fields(g.fields, value, 0)
		if len(g.fields) != g.options.Values+3 {
			return fmt.Errorf("set %q: a line of %d fields", in.Key, len(g.fields))
		}
		if r.count == 0 {
			if err := g.decode(); err != nil {
				return fmt.Errorf("set %q: %w", in.Key, err)
			}
		}
		if id := g.fields[0]; r.count > 0 && bytes.Equal(id, last) {
			continue // the same document again
		}
		last = append(last[:0], g.fields[0]...)
		if err := g.add(); err != nil {
			return err
		}
		if r.count == maxMembers || int64(len(r.members)) > g.options.BlockSize/4 {
			if err := g.write(); err != nil {
				return err
			}
		}
	}
	if r.count == 0 {
		return nil
	}
	return g.write()
}

// decode reads key and set of the line.
func (g *grouper) decode() error {
	r := &g.record
	var err error
	if r.key, err = strconv.ParseUint(string(g.fields[1]), 16, 64); err != nil {
		return err
	}
	encoded := g.fields[len(g.fields)-1]
	r.words = resized(r.words, r.size*g.options.Width)
	if base64.RawStdEncoding.DecodedLen(len(encoded)) != 8*len(r.words) {
		return fmt.Errorf("a set of another size than %d", r.size)
	}
	g.decoded = resized(g.decoded, 8*len(r.words))
	if _, err = base64.RawStdEncoding.Decode(g.decoded, encoded); err != nil {
		return err
	}
	setWords(r.words, g.decoded)
	return nil
}

// add describes the line's document.
func (g *grouper) add() error {
	g.members = append(g.members[:0], g.fields[0])
	for _, f := range g.fields[2 : len(g.fields)-1] {
		plain, err := stage.AppendUnescaped(nil, f)
		if err != nil {
			return err
		}
		g.members = append(g.members, plain)
	}
	g.record.members = appendMember(g.record.members, g.members)
	g.record.count++
	return nil
}

// write puts the record into a block.
func (g *grouper) write() error {
	r := &g.record
	n := int64(headerSize + len(r.members) + 8*len(r.words))
	if g.block != nil && g.bytes+n > g.options.BlockSize {
		if err := g.closeBlock(); err != nil {
			return err
		}
	}
	if g.block == nil {
		name := fmt.Sprintf("_blocks/%03d-%05d-%05d.sets", g.options.Generation, g.task.Partition(), g.blocks)
		var err error
		if g.file, err = g.task.Create(name); err != nil {
			return err
		}
		if g.block, err = newBlockWriter(g.file, g.options.Width); err != nil {
			return err
		}
		g.blocks++
	}
	g.bytes += n
	err := g.block.write(r)
	r.count, r.members = 0, r.members[:0]
	return err
}

func (g *grouper) closeBlock() error {
	if g.block == nil {
		return nil
	}
	if err := g.block.w.Flush(); err != nil {
		return err
	}
	g.block, g.bytes = nil, 0
	return g.file.Close()
}

// sumCounts adds up the counters of all mappers.
func sumCounts(t *stage.Task, in *stage.Group) error {
	sums := make([]uint32, 1<<orderBits)
	for value, err := range in.Values() {
		if err != nil {
			return err
		}
		_, encoded, _ := bytes.Cut(value, []byte{'\t'})
		packed, err := base64.RawStdEncoding.AppendDecode(nil, encoded)
		if err != nil {
			return fmt.Errorf("counters: %w", err)
		}
		for i := uint64(0); len(packed) > 0; {
			distance, size := binary.Uvarint(packed)
			n, size2 := binary.Uvarint(packed[max(size, 0):])
			if i += distance; size <= 0 || size2 <= 0 || i >= uint64(len(sums)) {
				return fmt.Errorf("counters: those of a task are damaged")
			}
			packed = packed[size+size2:]
			sums[i] = uint32(min(uint64(sums[i])+n, math.MaxUint32))
		}
	}
	w, err := t.Create("_counts")
	if err != nil {
		return err
	}
	content := make([]byte, 0, 4*len(sums))
	for _, n := range sums {
		content = binary.LittleEndian.AppendUint32(content, n)
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.Close()
}

// A documentLister writes documents, each id once.
type documentLister struct {
	task  *stage.Task
	least []byte
}

// list writes what is said of an id, and rejects it where that is said more than once:
// the least text then counts, whatever order the engine gives them in.
func (d *documentLister) list(id []byte, in *stage.Group) error {
	n := 0
	for value, err := range in.Values() {
		if err != nil {
			return err
		}
		if n++; n == 1 || bytes.Compare(value, d.least) < 0 {
			d.least = append(d.least[:0], value...)
		}
		if n > 1 {
			if err := d.task.Reject("the id is there already: the texts under it count as one document", id); err != nil {
				return err
			}
		}
	}
	return d.task.Emit(id, bytes.TrimPrefix(d.least, []byte{'\t'}))
}

// ListDocuments is the reducer that merges lists of documents: id TAB JSON.
func ListDocuments(t *stage.Task) error {
	d := documentLister{task: t}
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		if err := d.list(group.Key, group); err != nil {
			return err
		}
	}
	return nil
}
