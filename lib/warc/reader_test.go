package warc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
)

// gzipped makes one gzip member.
func gzipped(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, p := range parts {
		io.WriteString(z, p)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// warcRecord is a record with a block.
func warcRecord(kind, uri, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, uri, len(block), block)
}

func arcRecord(uri, block string) string {
	return fmt.Sprintf("%s 192.0.2.1 20200102030405 text/html %d\n%s\n", uri, len(block), block)
}

// crawl is a file that looks like a real one: a warcinfo, and requests and
// responses of 100 bytes to some 20 KB of text, each a gzip member.
type crawl struct {
	data    []byte
	offsets []int64 // of the members
}

func makeCrawl(t testing.TB, records int) crawl {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var words [400]string
	for i := range words {
		b := make([]byte, 2+random.IntN(9))
		for j := range b {
			b[j] = byte('a' + random.IntN(26))
		}
		words[i] = string(b)
	}
	var c crawl
	for i := range records {
		var text strings.Builder
		for n := 20 + int(random.ExpFloat64()*300); n > 0; n-- {
			text.WriteString(words[random.IntN(len(words))])
			text.WriteByte(' ')
		}
		kind := []string{Response, Request}[i%2]
		if i == 0 {
			kind = Warcinfo
		}
		c.offsets = append(c.offsets, int64(len(c.data)))
		c.data = append(c.data, gzipped(t, warcRecord(kind, fmt.Sprintf("http://host%d.example/%d", i%37, i), text.String()))...)
	}
	return c
}

// end is where a member ends.
func (c *crawl) end(i int) int64 {
	if i+1 < len(c.offsets) {
		return c.offsets[i+1]
	}
	return int64(len(c.data))
}

// TestDamageCostsTheDamagedRecordOnly makes the table of damages that other
// readers do not get past: a file of 5,986 records, damaged in four ways.
func TestDamageCostsTheDamagedRecordOnly(t *testing.T) {
	const records, hit = 5986, 2321
	c := makeCrawl(t, records)
	at, after := c.offsets[hit], c.end(hit)
	for name, test := range map[string]struct {
		damage func(data []byte) []byte
		sound  int
		cut    int
		kind   DefectKind
		offset int64
	}{
		"none": {func(d []byte) []byte { return d }, records, 0, "", 0},
		"cut behind 2,692 records": {
			func(d []byte) []byte { return d[:c.offsets[2692]+(c.end(2692)-c.offsets[2692])/2] },
			2692, 1, Truncated, c.offsets[2692],
		},
		"checksum wrong": {
			func(d []byte) []byte { d[after-8] ^= 0xff; return d },
			records - 1, 0, BadChecksum, at,
		},
		"100 bytes of garbage between members": {
			func(d []byte) []byte {
				garbage := bytes.Repeat([]byte("garbage, "), 12)[:100]
				return append(append(append([]byte(nil), d[:at]...), garbage...), d[at:]...)
			},
			records, 0, Garbage, at,
		},
	} {
		sound, cut, defects := readAll(t, test.damage(bytes.Clone(c.data)))
		if sound != test.sound || cut != test.cut {
			t.Errorf("%s: %d sound records and %d cut off, want %d and %d", name, sound, cut, test.sound, test.cut)
		}
		if test.kind == "" {
			if len(defects) != 0 {
				t.Errorf("%s: %v", name, defects)
			}
		} else if len(defects) != 1 || defects[0].Kind != test.kind || defects[0].Offset != test.offset {
			t.Errorf("%s: %v, want one %s at %d", name, defects, test.kind, test.offset)
		}
	}

	// 4 KB zeroed: the members that it touches are lost, no other.
	data := bytes.Clone(c.data)
	from := at + 50
	clear(data[from : from+4096])
	touched := 0
	for i := range c.offsets {
		if c.offsets[i] < from+4096 && c.end(i) > from {
			touched++
		}
	}
	sound, _, defects := readAll(t, data)
	if sound != records-touched || touched < 2 {
		t.Errorf("4 KB zeroed: %d sound records, want %d of %d", sound, records-touched, records)
	}
	if len(defects) == 0 || defects[0].Offset != at || !defects[0].Lost {
		t.Errorf("4 KB zeroed: %v, want the first loss at %d", defects, at)
	}
}

// TestAnyDamagedByteCostsOneRecord damages one byte after the other.
func TestAnyDamagedByteCostsOneRecord(t *testing.T) {
	c := makeCrawl(t, 6)
	for i := range c.data {
		data := bytes.Clone(c.data)
		data[i] ^= 0x55
		sound, _, defects := readAll(t, data)
		if sound < len(c.offsets)-1 {
			t.Fatalf("byte %d damaged: %d of %d records, %v", i, sound, len(c.offsets), defects)
		}
	}
}

// place is what a test wants to know of a record.
type recordPlace struct {
	URI           string
	Offset, Inner int64
	Length        int64
	Compression   Compression
	Block         string
}

func places(t *testing.T, data []byte) []recordPlace {
	t.Helper()
	var all []recordPlace
	r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
	for record, err := range r.Records() {
		if err != nil {
			t.Error(err)
			continue
		}
		block, err := io.ReadAll(record.Body)
		if err != nil {
			t.Error(err)
		}
		for _, d := range record.Defects {
			t.Error(d)
		}
		all = append(all, recordPlace{record.TargetURI(), record.Offset, record.InnerOffset, record.Length, record.Compression, string(block)})
	}
	return all
}

func TestEveryWayToStoreRecords(t *testing.T) {
	a, b := warcRecord(Response, "http://a/", "first"), warcRecord(Resource, "<http://b/>", "second\r\n\r\n")
	x, y := arcRecord("filedesc://x.arc", "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"), arcRecord("http://y/with space", "HTTP/1.0 200 OK\n\nbody")
	ga, gb, gab := gzipped(t, a), gzipped(t, b), gzipped(t, a, b)
	empty, blank := gzipped(t), gzipped(t, "\r\n"+a)
	la, lga := int64(len(a)), int64(len(ga))
	for name, test := range map[string]struct {
		file []byte
		want []recordPlace
	}{
		"plain":         {[]byte(a + b), []recordPlace{{"http://a/", 0, 0, la, Plain, "first"}, {"http://b/", la, 0, int64(len(b)), Plain, "second\r\n\r\n"}}},
		"members":       {append(bytes.Clone(ga), gb...), []recordPlace{{"http://a/", 0, 0, lga, Member, "first"}, {"http://b/", lga, 0, int64(len(gb)), Member, "second\r\n\r\n"}}},
		"one member":    {gab, []recordPlace{{"http://a/", 0, 0, int64(len(gab)), Shared, "first"}, {"http://b/", 0, la, int64(len(gab)), Shared, "second\r\n\r\n"}}},
		"mixed":         {append(bytes.Clone(ga), b...), []recordPlace{{"http://a/", 0, 0, lga, Member, "first"}, {"http://b/", lga, 0, int64(len(b)), Plain, "second\r\n\r\n"}}},
		"empty members": {append(append(bytes.Clone(empty), ga...), empty...), []recordPlace{{"http://a/", int64(len(empty)), 0, lga, Member, "first"}}},
		"plain arc":     {[]byte(x + y), []recordPlace{{"filedesc://x.arc", 0, 0, int64(len(x)), Plain, x[strings.IndexByte(x, '\n')+1 : len(x)-1]}, {"http://y/with space", int64(len(x)), 0, int64(len(y)), Plain, "HTTP/1.0 200 OK\n\nbody"}}},
		"no filedesc":   {[]byte(y), []recordPlace{{"http://y/with space", 0, 0, int64(len(y)), Plain, "HTTP/1.0 200 OK\n\nbody"}}},
		"line feeds":    {[]byte(strings.ReplaceAll(a, "\r\n", "\n")), []recordPlace{{"http://a/", 0, 0, la - 8, Plain, "first"}}},
		"blank lines":   {[]byte(a + "\r\n\n\n" + a), []recordPlace{{"http://a/", 0, 0, la, Plain, "first"}, {"http://a/", la + 4, 0, la, Plain, "first"}}},
		"blank member":  {blank, []recordPlace{{"http://a/", 0, 0, int64(len(blank)), Member, "first"}}},
		"empty file":    {nil, nil},
	} {
		if diff := cmp.Diff(test.want, places(t, test.file)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestWrongLengths reads plain records whose length is not that of their block.
func TestWrongLengths(t *testing.T) {
	good := warcRecord(Response, "http://b/", "good")
	wrong := func(length string) string {
		return "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: " + length + "\r\n\r\n0123456789\r\n\r\n"
	}
	for length, want := range map[string]DefectKind{
		"10": "", "5": BadLength, "20": BadLength, "100000000000": BadLength, "": BadLength, "x": BadLength, "-1": BadLength,
	} {
		for _, compressed := range []bool{false, true} {
			file := []byte(wrong(length) + good)
			if compressed {
				file = gzipped(t, wrong(length), good)
			}
			r := NewReader(bytes.NewReader(file), int64(len(file)), Options{})
			record, err := r.Next()
			if err != nil {
				t.Fatalf("length %q: %v", length, err)
			}
			block, err := io.ReadAll(record.Body)
			if err != nil || string(block) != "0123456789" {
				t.Errorf("length %q, compressed %v: block %q, %v", length, compressed, block, err)
			}
			kind := DefectKind("")
			if len(record.Defects) > 0 {
				kind = record.Defects[0].Kind
			}
			if kind != want {
				t.Errorf("length %q, compressed %v: %v, want %q", length, compressed, record.Defects, want)
			}
			record, err = r.Next()
			if err != nil || record.TargetURI() != "http://b/" {
				t.Errorf("length %q, compressed %v: the next record: %v", length, compressed, err)
			}
		}
	}
}

// TestMemberLimit reads members around the size up to which they are held.
func TestMemberLimit(t *testing.T) {
	head := len(warcRecord(Response, "http://a/", strings.Repeat("x", maxMember))) - maxMember
	for _, n := range []int{maxMember - head - 1, maxMember - head, maxMember - head + 1, maxMember + 5} {
		block := strings.Repeat("x", n)
		first := gzipped(t, warcRecord(Response, "http://a/", block))
		file := append(bytes.Clone(first), gzipped(t, warcRecord(Response, "http://b/", "tail"))...)
		for _, skip := range []bool{false, true} {
			r := NewReader(bytes.NewReader(file), int64(len(file)), Options{})
			record, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !skip {
				if got, err := io.ReadAll(record.Body); err != nil || string(got) != block {
					t.Errorf("block of %d bytes: %d, %v", n, len(got), err)
				}
			}
			second, err := r.Next()
			if err != nil || second.TargetURI() != "http://b/" || second.Offset != int64(len(first)) {
				t.Errorf("behind a block of %d bytes (skipped %v): %+v, %v", n, skip, second, err)
			}
		}
		damaged := bytes.Clone(file)
		damaged[len(first)-6] ^= 1
		sound, cut, defects := readAll(t, damaged)
		if sound != 1 || cut > 1 || len(defects) != 1 || defects[0].Kind != BadChecksum || defects[0].Offset != 0 {
			t.Errorf("block of %d bytes, checksum wrong: %d sound, %d cut, %v", n, sound, cut, defects)
		}
	}
}

func TestOptionsLimitWhatIsRead(t *testing.T) {
	c := makeCrawl(t, 10)
	r := NewReader(bytes.NewReader(c.data), int64(len(c.data)), Options{Offset: c.offsets[3], End: c.offsets[7]})
	n := 0
	for _, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d records, want 4", n)
	}
}

// brokenFile fails behind an offset, as a broken disk does.
type brokenFile struct {
	*bytes.Reader
	from int64
}

var errDisk = fmt.Errorf("input/output error")

func (f brokenFile) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return f.Reader.ReadAt(p, off)
}

func TestErrorsOfTheFileAreFinal(t *testing.T) {
	c := makeCrawl(t, 1500)
	r := NewReader(brokenFile{bytes.NewReader(c.data), int64(len(c.data)) / 2}, int64(len(c.data)), Options{})
	var last error
	n := 0
	for _, err := range r.Records() {
		last = err
		n++
	}
	if last != errDisk || n < 2 {
		t.Errorf("%d records, then %v", n, last)
	}
	if _, err := r.Next(); err != errDisk {
		t.Errorf("asked again: %v", err)
	}
}
