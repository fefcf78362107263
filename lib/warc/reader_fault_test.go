package warc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
	"testing"
)

// failingOnce fails one read of an offset, as a network does.
type failingOnce struct {
	*bytes.Reader
	at     int64
	failed bool
}

func (f *failingOnce) ReadAt(p []byte, off int64) (int, error) {
	if !f.failed && off <= f.at && f.at < off+int64(len(p)) {
		f.failed = true
		n, _ := f.Reader.ReadAt(p[:f.at-off], off)
		return n, errDisk
	}
	return f.Reader.ReadAt(p, off)
}

// TestFileErrorsAreNotDamage reads members over a file that fails: what could
// not be read is no defect of the archive.
func TestFileErrorsAreNotDamage(t *testing.T) {
	c := makeCrawl(t, 4)
	size := int64(len(c.data))
	middle := (c.offsets[1] + c.offsets[2]) / 2

	r := NewReader(&failingOnce{Reader: bytes.NewReader(c.data), at: middle}, size, Options{})
	var last error
	for _, err := range r.Records() {
		last = err
	}
	if last != errDisk {
		t.Errorf("Next: %v, want %v", last, errDisk)
	}
	x := NewRandomReader()
	if _, err := x.MemberLength(&failingOnce{Reader: bytes.NewReader(c.data), at: middle}, size, c.offsets[1]); err != errDisk {
		t.Errorf("MemberLength: %v, want %v", err, errDisk)
	}
	record, err := x.ReadAt(&failingOnce{Reader: bytes.NewReader(c.data), at: middle}, size, c.offsets[1])
	if err == nil {
		_, err = io.Copy(io.Discard, record.Body)
	}
	if err != errDisk {
		t.Errorf("ReadAt: %v, want %v", err, errDisk)
	}
}

// TestFileShorterThanItsSize reads a file that lost its end after its size was
// asked for.
func TestFileShorterThanItsSize(t *testing.T) {
	c := makeCrawl(t, 3)
	r := NewReader(bytes.NewReader(c.data), int64(len(c.data))+100, Options{})
	records, defects := 0, 0
	for _, err := range r.Records() {
		var d *Defect
		switch {
		case err == nil:
			records++
		case errors.As(err, &d) && d.Kind == Truncated && d.Offset == int64(len(c.data)):
			defects++
		default:
			t.Fatal(err)
		}
	}
	if records != 3 || defects != 1 {
		t.Errorf("%d records and %d defects, want 3 and 1", records, defects)
	}
}

// TestChecksumOfSharedMember damages the checksum of a member that holds several
// records: each of them may be what is damaged.
func TestChecksumOfSharedMember(t *testing.T) {
	data := gzipped(t, warcRecord(Response, "http://a/", "first"), warcRecord(Response, "http://b/", "second"), warcRecord(Response, "http://c/", "third"))
	data[len(data)-8] ^= 1
	sound, _, defects := readAll(t, data)
	if sound != 0 || len(defects) == 0 || defects[0].Kind != BadChecksum {
		t.Errorf("%d sound records, %v", sound, defects)
	}
}

// TestLengthThatEndsInText reads records whose length is too short and ends
// where a line of text with a URL begins, which is no record.
func TestLengthThatEndsInText(t *testing.T) {
	block := "outlink: x\nhttp://example.org/ L a/@href\nhttp://example.net/ L img/@src\n"
	wrong := strings.Replace(warcRecord(Metadata, "http://a/", block), "Content-Length: 72", "Content-Length: 11", 1)
	good := warcRecord(Response, "http://b/", "good")
	if !strings.Contains(wrong, "Content-Length: 11\r\n") {
		t.Fatal(wrong)
	}
	for name, data := range map[string][]byte{"plain": []byte(wrong + good), "compressed": gzipped(t, wrong, good)} {
		r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
		record, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(record.Body)
		if err != nil || string(got) != block {
			t.Errorf("%s: block %q, %v", name, got, err)
		}
		if len(record.Defects) != 1 || record.Defects[0].Kind != BadLength {
			t.Errorf("%s: %v", name, record.Defects)
		}
		if record, err = r.Next(); err != nil || record.TargetURI() != "http://b/" {
			t.Errorf("%s: the next record: %v", name, err)
		}
	}
}

// TestWrongLengthInLargeMember reads a member too large to be held, in which one
// record's length is wrong: it alone is damaged.
func TestWrongLengthInLargeMember(t *testing.T) {
	filler := warcRecord(Response, "http://filler/", strings.Repeat("filler\n", maxMember/7))
	good := warcRecord(Response, "http://good/", "good")
	for _, length := range []string{"3", "400", "1000000", "100000000000000", "x", ""} {
		wrong := "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: " + length + "\r\n\r\n0123456789\r\n\r\n"
		data := gzipped(t, filler, good, wrong, good, good, filler, good)
		r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
		var uris []string
		for record, err := range r.Records() {
			if err != nil {
				t.Errorf("length %q: %v", length, err)
				continue
			}
			block, err := io.ReadAll(record.Body)
			if err != nil {
				t.Errorf("length %q: %v", length, err)
			}
			uri := record.TargetURI()
			if uri == "" {
				uri = string(block)
				if len(record.Defects) != 1 || record.Defects[0].Kind != BadLength {
					t.Errorf("length %q: %v", length, record.Defects)
				}
			}
			uris = append(uris, uri)
		}
		got := strings.ReplaceAll(strings.Join(uris, " "), "http://", "")
		if want := "filler/ good/ 0123456789 good/ good/ filler/ good/"; got != want {
			t.Errorf("length %q: %s, want %s", length, got, want)
		}
	}
}

// TestLengthOfLargeMember asks for the length of a record that is too large to
// be held, once its block has been read.
func TestLengthOfLargeMember(t *testing.T) {
	first := gzipped(t, warcRecord(Response, "http://a/", strings.Repeat("x", 2*maxMember)))
	data := append(bytes.Clone(first), gzipped(t, warcRecord(Response, "http://b/", "b"))...)
	r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
	record, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if record.Length != -1 {
		t.Errorf("length %d before the block is read, want -1", record.Length)
	}
	if _, err := io.Copy(io.Discard, record.Body); err != nil {
		t.Fatal(err)
	}
	if record.Length != int64(len(first)) {
		t.Errorf("length %d, want %d", record.Length, len(first))
	}
}

func TestRandomReaderKnowsNoLengthFromTheHead(t *testing.T) {
	c := makeCrawl(t, 2)
	record, err := NewRandomReader().Head(bytes.NewReader(c.data), int64(len(c.data)), c.offsets[1])
	if err != nil || record.Length != -1 {
		t.Errorf("%+v, %v, want the length -1", record, err)
	}
}

// TestARCLineWithAddressAndDateExchanged reads a line as some crawl of 2003
// wrote it.
func TestARCLineWithAddressAndDateExchanged(t *testing.T) {
	data := []byte("http://a/b c.mp3 20031219215023 192.0.2.1 text/plain 4\nbody\n")
	r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
	record, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if a := record.ARC; a.URL != "http://a/b c.mp3" || a.IP != "192.0.2.1" || a.Date != "20031219215023" {
		t.Errorf("%+v", a)
	}
	if len(record.Defects) != 1 || record.Defects[0].Kind != BadHeader {
		t.Errorf("%v", record.Defects)
	}
}

// uris reads all records and gives their URIs, with "!" where something is wrong
// with the record; what is wrong between records is left out.
func uris(t *testing.T, data []byte) string {
	t.Helper()
	var all []string
	for record, err := range NewReader(bytes.NewReader(data), int64(len(data)), Options{}).Records() {
		if err != nil {
			continue
		}
		if _, err := io.Copy(io.Discard, record.Body); err != nil {
			t.Error(err)
		}
		uri := record.TargetURI()
		if len(record.Defects) > 0 {
			uri += "!"
		}
		all = append(all, uri)
	}
	return strings.Join(all, " ")
}

// TestMemberThatRunsIntoTheNext takes the end out of a member's deflate stream, so
// that it goes on into what follows and ends with a later member, the checksum of
// which is not its own. What it has run through is read all the same.
func TestMemberThatRunsIntoTheNext(t *testing.T) {
	// A stored block whose length covers all up to the end of another one.
	first := warcRecord(Response, "http://a/", "first")
	rest := [][]byte{gzipped(t, warcRecord(Response, "http://b/", "second")), []byte(warcRecord(Response, "http://c/", "third")), nil}
	last := warcRecord(Response, "http://d/", "fourth")
	stored := func(text string, final byte, length int) []byte {
		m := append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, final, byte(length), byte(length >> 8), ^byte(length), ^byte(length >> 8)}, text...)
		return m
	}
	rest[2] = stored(last, 1, len(last))
	behind := bytes.Join(rest, nil)
	var sum [8]byte
	binary.LittleEndian.PutUint32(sum[:], crc32.ChecksumIEEE([]byte(last)))
	binary.LittleEndian.PutUint32(sum[4:], uint32(len(last)))
	behind = append(behind, sum[:]...)
	data := append(stored(first, 1, len(first)+len(behind)-len(sum)), behind...)
	if got := uris(t, data); got != "http://b/ http://c/ http://d/" {
		t.Errorf("records %s", got)
	}
	// A sound archive as block of a member with a wrong checksum has no such end.
	inner := gzipped(t, warcRecord(Response, "http://inner/", "x"))
	outer := warcRecord(Resource, "http://outer/", string(inner))
	data = append(stored(outer, 1, len(outer)), make([]byte, 8)...)
	data = append(data, gzipped(t, last)...)
	if got := uris(t, data); got != "http://d/" {
		t.Errorf("records %s", got)
	}
}

// TestLengthThatEndsInTheNextLine reads ARC records whose length leads into the
// next record's line, where a URL stands in the URL.
func TestLengthThatEndsInTheNextLine(t *testing.T) {
	const next = "http://web.example/http://b.example/dns:c"
	for _, into := range []int{len("http://web.example/"), len("http://web.example/http://b.example/")} {
		block := "some text"
		line := "http://a/ 192.0.2.1 20200102030405 text/html " + strconv.Itoa(len(block)+1+into) + "\n"
		text := line + block + "\n" + arcRecord(next, "next") + arcRecord("http://last/", "last")
		for name, data := range map[string][]byte{"plain": []byte(text), "member": gzipped(t, text),
			"streamed": gzipped(t, arcRecord("http://filler/", strings.Repeat("filler\n", maxMember/7)), text)} {
			want := "http://a/! " + next + " http://last/"
			if got := strings.TrimPrefix(uris(t, data), "http://filler/ "); got != want {
				t.Errorf("%s: records %s, want %s", name, got, want)
			}
		}
	}
	// Without a line end behind the block the next line begins within one.
	data := []byte("http://a/ 192.0.2.1 20200102030405 text/html 4\ntext" + arcRecord("http://b/", "b"))
	if got := uris(t, data); got != "http://a/! http://b/" {
		t.Errorf("records %s", got)
	}
}

// TestHeaderWithoutBlankLine takes the blank line behind a record's header away: the
// next record, of which the header's length may happen to be, is not its block.
func TestHeaderWithoutBlankLine(t *testing.T) {
	next := warcRecord(Response, "http://next/", "next")
	filler := warcRecord(Response, "http://filler/", strings.Repeat("filler\n", maxMember/7))
	padded := func(text string, n int) string { return text + strings.Repeat("x", n-len(text)) }
	for _, block := range []string{"", "text", "software: x\r\nformat: y", "a: b\r\n\r\ntext", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		padded("software: x\r\nformat: ", len(next)), padded("software: x\r\nformat: ", len(next)-4), padded("text\r\n", len(next))} {
		head := "WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: http://first/\r\nContent-Length: " + strconv.Itoa(len(block)) + "\r\n"
		text := head + block + "\r\n\r\n" + next + warcRecord(Response, "http://last/", "last")
		for name, data := range map[string][]byte{"plain": []byte(text), "member": gzipped(t, text), "streamed": gzipped(t, filler, text)} {
			got := strings.TrimPrefix(strings.TrimPrefix(uris(t, data), "http://filler/ "), "http://first/! ")
			if want := "http://next/ http://last/"; got != want {
				t.Errorf("%s, block %q: records %s, want %s", name, block, got, want)
			}
		}
	}
	// An archive as a record's block is none of that.
	text := warcRecord(Resource, "http://outer/", next) + next
	for name, data := range map[string][]byte{"plain": []byte(text), "member": gzipped(t, text), "streamed": gzipped(t, filler, text)} {
		if got := strings.TrimPrefix(uris(t, data), "http://filler/ "); got != "http://outer/ http://next/" {
			t.Errorf("%s: records %s", name, got)
		}
	}
}
