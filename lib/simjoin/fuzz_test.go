package simjoin

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"archivestream/lib/coverage"
	"archivestream/lib/documents"
)

func block(t testing.TB, width int, records ...record) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := newBlockWriter(&out, width)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		if err := w.write(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func described(id, host string) []byte {
	value := documents.Value{Kind: documents.String, Text: host}
	return appendMember(nil, [][]byte{[]byte(id), value.Append(nil)})
}

func goodBlock(t testing.TB, width int) []byte {
	return block(t, width,
		record{key: 1, digest: [16]byte{1}, size: 2, count: 1, members: described("x", "h"), words: []uint64{1, 2, 3, 4}[:2*width]},
		record{key: 1, digest: [16]byte{2}, size: 3, count: 2, members: append(described("y", "h"), described("z", "g")...), words: []uint64{1, 2, 3, 4, 5, 6}[:3*width]})
}

// readBlock reads a block as the join does and joins it with itself.
func readBlock(content []byte, r *coverage.Relation) (*index, []record, error) {
	in, err := newBlockReader(bytes.NewReader(content), "block", int64(len(content)))
	if err != nil {
		return nil, nil, err
	}
	x := &index{relation: r, base: "block", width: in.width, values: len(r.Attributes())}
	var all []record
	for {
		var one record
		if err := in.next(&one); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, err
		}
		all = append(all, one)
		x.add(&one)
	}
	x.build()
	p := newProber(x, func(pair) error { return nil })
	for i := range all {
		members, err := appendMembers(nil, all[i].members, all[i].count, x.values)
		if err != nil {
			return x, all, err
		}
		if err := p.lookUp(&all[i], "block", i, members); err != nil {
			return x, all, err
		}
	}
	return x, all, nil
}

// What a damaged block says of its lengths is not believed, and the place is named.
func TestDamagedBlocks(t *testing.T) {
	r, err := coverage.Parse("jaccard(a, b) >= 0.5 && a.hostname == b.hostname")
	if err != nil {
		t.Fatal(err)
	}
	first := len(magic) + 1
	put := func(at int, n uint32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[first+at:], n)
			return b
		}
	}
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"sound", func(b []byte) []byte { return b }, ""},
		{"no magic", func(b []byte) []byte { return b[1:] }, "no file of sets"},
		{"empty", func([]byte) []byte { return nil }, "no file of sets"},
		{"cut header", func(b []byte) []byte { return b[:first+10] }, "block: record at byte 22: unexpected EOF"},
		{"cut record", func(b []byte) []byte { return b[:len(b)-1] }, "are left"},
		{"huge set", put(0, 1<<31), "record at byte 22: 17179869225 bytes by its header, but "},
		{"empty set", put(0, 0), "record at byte 22: 0 shingles"},
		{"huge count", put(4, 1<<32-1), "4294967295 documents described in 5 bytes"},
		{"no documents", put(4, 0), "0 documents"},
		{"huge description", put(8, 1<<32-1), "are left"},
		{"another description", func(b []byte) []byte { b[first+headerSize] = 200; return b }, "the description of a document is damaged"},
	} {
		_, _, err := readBlock(c.damage(goodBlock(t, 1)), r)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
}

// Lists of blocks name files of their own folder only.
func TestDamagedListsOfBlocks(t *testing.T) {
	for line, sound := range map[string]bool{
		"000-00000-00000.sets\t0\t1\t2\t3\t4\t5\t6": true,
		"../x.sets\t0\t1\t2\t3\t4\t5\t6":            false,
		"/x.sets\t0\t1\t2\t3\t4\t5\t6":              false,
		"..\t0\t1\t2\t3\t4\t5\t6":                   false,
		"\t0\t1\t2\t3\t4\t5\t6":                     false,
		"x.sets\t0\t1\t2\t3\t4\t5\t-6":              false,
		"x.sets\t0\t1\t2\t3\t4\t5":                  false,
		"x.sets\t0\t1\t2\t3\t4\t5\tx":               false,
	} {
		if _, err := parseBlockInfo([]byte(line)); (err == nil) != sound {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// Whatever bytes come, they are a block that is written as it was, or an error; what
// the join takes for it is no more than there are bytes.
func FuzzBlock(f *testing.F) {
	f.Add(goodBlock(f, 1))
	f.Add(goodBlock(f, 2))
	r, err := coverage.Parse("jaccard(a, b) >= 0.5 && a.hostname == b.hostname")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		x, all, err := readBlock(content, r)
		if x == nil {
			if err == nil {
				t.Fatal("neither a block nor an error")
			}
			return
		}
		if again := block(t, x.width, all...); !bytes.Equal(again, content) {
			t.Fatalf("%q is read, but is written as %q", content, again)
		}
	})
}
