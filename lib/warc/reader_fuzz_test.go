package warc

import (
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// readBounded reads any bytes and fails where the reader does not end, goes
// back, gives more than is there, or fails for another reason than the archive.
func readBounded(t *testing.T, data []byte, each func(record *Record, block []byte, sound bool)) {
	t.Helper()
	size := int64(len(data))
	r := NewReader(bytes.NewReader(data), size, Options{})
	var end, offset, inner, taken int64
	offset = -1
	for n := 0; ; n++ {
		if n > 4*len(data)+10 {
			t.Fatal("the reader does not end")
		}
		record, err := r.Next()
		var d *Defect
		switch {
		case err == io.EOF:
			return
		case errors.As(err, &d):
			if d.Offset < 0 || d.Offset > size || d.Length > size-d.Offset {
				t.Fatalf("defect outside of the file of %d bytes: %+v", size, d)
			}
			continue
		case err != nil:
			t.Fatal(err)
		}
		block, err := io.ReadAll(record.Body)
		sound := err == nil && !record.Damaged()
		if err == nil && int64(len(block)) != record.ContentLength {
			t.Fatalf("block of %d bytes, ContentLength %d", len(block), record.ContentLength)
		}
		switch {
		case record.Offset == offset:
			if record.Compression != Shared || record.InnerOffset <= inner {
				t.Fatalf("two records at %d: %+v", offset, record)
			}
		case record.Offset < end:
			t.Fatalf("record at %d in one that ends at %d", record.Offset, end)
		default:
			if record.Length >= 0 {
				end = record.Offset + record.Length
				taken += record.Length
			}
			if end > size || taken > size {
				t.Fatalf("records of %d bytes to %d in a file of %d", taken, end, size)
			}
		}
		offset, inner = record.Offset, record.InnerOffset
		if each != nil {
			each(record, block, sound)
		}
	}
}

// FuzzMembers walks over any bytes.
func FuzzMembers(f *testing.F) {
	a := warcRecord(Response, "http://a/", "first")
	f.Add([]byte(a + a))
	f.Add(append(gzipped(f, a), gzipped(f, a)...))
	f.Add(append(gzipped(f), gzipped(f, a, a)...))
	f.Add(append(append(gzipped(f, a), "garbage"...), gzipped(f, a)...))
	f.Add([]byte(arcRecord("filedesc://x", "1 0 x\n") + arcRecord("http://a/b c", "HTTP/1.0 200\n\n")))
	f.Add([]byte("WARC/1.0\nContent-Length: 5\n\n12345678\n\nWARC/1.0\r\nContent-Length: 999\r\n\r\nWARC/0.17\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readBounded(t, data, nil)
		x := NewRandomReader()
		file, size := bytes.NewReader(data), int64(len(data))
		for _, offset := range []int64{0, 1, size / 2, size, -1} {
			if n, err := x.MemberLength(file, size, offset); err == nil && (n <= 0 || n > size-offset) {
				t.Fatalf("member at %d of %d bytes in a file of %d", offset, n, size)
			}
			if at, err := x.PlainExtent(file, size, offset); err == nil && (at.Blank > at.Length || at.Length > size-offset) {
				t.Fatalf("record at %d of %d bytes, %d blank, in a file of %d", offset, at.Length, at.Blank, size)
			}
			if record, err := x.ReadAt(file, size, offset); err == nil {
				io.Copy(io.Discard, record.Body) // must end
			}
			next, err := FindMember(file, size, max(offset, 0))
			if err != nil || next < min(offset, size) || next > size {
				t.Fatalf("FindMember(%d): %d, %v", offset, next, err)
			}
		}
	})
}

// stored is a record of a made file and the bytes that it shares with no one, or
// with those of its member.
type stored struct {
	text       string // uri and block
	start, end int
	plain      bool
}

// makeMixed makes a file out of a layout, two bytes for a record or a member:
// how it is stored, and its size. Behind damage only records of the format that
// was read before are looked for: a file has one.
func makeMixed(t testing.TB, layout []byte) (data []byte, records []stored) {
	t.Helper()
	word := uint32(7)
	for i := 0; i+1 < len(layout) && i < 40; i += 2 {
		count := 1 + int(layout[i]>>2&3)
		shared := layout[i]&3 != 0
		var parts []string
		start := len(data)
		for n := range count {
			var block strings.Builder
			for block.Len() < int(layout[i+1])*8 {
				word = word*1664525 + 1013904223
				fmt.Fprintf(&block, "%x %d\r\n", word, word>>20)
			}
			// One damaged byte does not make one URI of another.
			uri := fmt.Sprintf("http://host.example/%d/%d/%d/%d", i, n, i, n)
			record := warcRecord(Response, uri, block.String())
			if layout[0]&0x10 != 0 { // one format for all
				record = arcRecord(uri, block.String())
			}
			parts = append(parts, record)
			s := stored{uri + "\n" + block.String(), len(data), len(data) + len(record), !shared}
			if !shared {
				data = append(data, record...)
			}
			records = append(records, s)
		}
		if !shared {
			continue
		}
		level := []int{0, flate.BestSpeed, flate.DefaultCompression, flate.NoCompression}[layout[i]&3]
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		if layout[i]&0x20 != 0 {
			z.Extra, z.Name = lxField, "name"
		}
		io.WriteString(z, strings.Join(parts, ""))
		z.Close()
		data = append(data, b.Bytes()...)
		for k := len(records) - count; k < len(records); k++ {
			records[k].start, records[k].end = start, len(data)
		}
	}
	return data, records
}

// FuzzDamage damages one byte of a sound file: what the byte is no part of is
// still read, and nothing is made up.
func FuzzDamage(f *testing.F) {
	f.Add([]byte{0, 10, 1, 20, 3, 200, 2, 5}, uint32(70), byte(1))
	f.Add([]byte{9, 30, 0x11, 20, 0x12, 0, 0x10, 9}, uint32(700), byte(0x80))
	f.Add([]byte{2, 100, 0x22, 100, 0x32, 100}, uint32(3), byte(4))
	f.Fuzz(func(t *testing.T, layout []byte, at uint32, damage byte) {
		for _, fault := range damageOne(t, layout, at, damage) {
			t.Error(fault)
		}
	})
}

// TestDamage damages one byte of many files. ARCHIVESTREAM_SEED=N makes others
// than every run does.
func TestDamage(t *testing.T) {
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("ARCHIVESTREAM_SEED"), "1"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("ARCHIVESTREAM_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		layout := make([]byte, 2*(1+random.IntN(8)))
		for i := range layout {
			layout[i] = byte(random.Uint32())
		}
		for i := 1; i < len(layout); i += 2 {
			layout[i] >>= random.IntN(6) // most records are small
		}
		for range 8 {
			at, damage := random.Uint32(), byte(1+random.IntN(255))
			for _, fault := range damageOne(t, layout, at, damage) {
				t.Errorf("%s\n[]byte(%q)\nuint32(%d)\nbyte(%q)", fault, layout, at, damage)
			}
		}
	}
}

// damageOne damages one byte of a made file and says what else was lost, or
// made up.
func damageOne(t *testing.T, layout []byte, at uint32, damage byte) (faults []string) {
	data, records := makeMixed(t, layout)
	if len(data) == 0 || damage == 0 {
		return nil
	}
	hit := int(at) % len(data)
	data[hit] ^= damage
	found, faultless := map[string]int{}, map[string]bool{}
	claimed := -1 // where the damaged record ends, by a length that fits
	readBounded(t, data, func(record *Record, block []byte, sound bool) {
		fits := len(record.Defects) == 0 || record.Format == ARC && record.Defects[0].Kind == MissingEnding
		if end := int(record.Offset + record.Length); record.Compression == Plain && fits && int(record.Offset) <= hit && hit < end {
			claimed = end
		}
		if sound {
			text := record.TargetURI() + "\n" + string(block)
			found[text]++
			if len(record.Defects) == 0 {
				faultless[text] = true
			}
		}
	})
	behind := -1 // a damaged member
	for _, s := range records {
		touched := s.start <= hit && hit < s.end
		if touched && !s.plain {
			behind = s.end
		}
		// Nothing is wrong with a length that leads to another record's begin.
		if hit < s.start && s.end <= claimed {
			continue
		}
		// Not at the start of a line, a plain record is not looked for.
		if s.plain && s.start == behind {
			continue
		}
		if n := found[s.text]; n != 1 && !touched {
			faults = append(faults, fmt.Sprintf("byte %d damaged by %#x: the record at %d to %d was read %d times", hit, damage, s.start, s.end, n))
		}
	}
	if len(faultless) > len(records) {
		faults = append(faults, fmt.Sprintf("byte %d damaged by %#x: %d records read of %d", hit, damage, len(faultless), len(records)))
	}
	return faults
}

// FuzzARCLine parses any line.
func FuzzARCLine(f *testing.F) {
	for _, line := range []string{
		"http://a/b c 192.0.2.1 20200102030405 text/html; x 5\n",
		"http://a/ 192.0.2.1 20200102030405 text/html 200 abc - 12 x.arc 5\n",
		"filedesc://x 0.0.0.0 200001020304 text/plain 76\r\n",
		"http://a/\rb None 20160211000000jpg text/html 1238\n",
		"http://a/ 20031219215023 63.241.16.130 text/plain 285\n",
		"dns:a - 2016020900  39\n",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		record, err := parseARC(line, nil)
		if record == nil {
			if err == nil {
				t.Fatalf("%q: neither record nor error", line)
			}
			return
		}
		a := record.ARC
		if record.Format != ARC || a == nil || (err == nil && record.ContentLength < 0) || record.ContentLength != a.Length {
			t.Fatalf("%q: %+v, %v", line, record, err)
		}
		if strings.Contains(a.Date+a.IP, " ") || strings.Contains(a.ResultCode+a.Checksum+a.Location+a.Filename, " ") {
			t.Fatalf("%q: %+v", line, a)
		}
		if record.Header.Get("WARC-Type") != record.Type || record.Type == "" {
			t.Fatalf("%q: type %q", line, record.Type)
		}
		record.Date()
	})
}

// FuzzWARCHeader parses any header.
func FuzzWARCHeader(f *testing.F) {
	f.Add([]byte("WARC/1.0\r\nWARC-Type: response\r\nX: a\r\n b\r\nContent-Length: 5\r\n\r\n"))
	f.Add([]byte("WARC/0.17\nwarc-type:Response\nWARC-Target-URI: <http://\xe9/>\ncontent-length: 0\n\n"))
	f.Add([]byte("warc/1.1\r\n folded\r\nno colon\r\n:\r\nContent-Length: -1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, head []byte) {
		record, err := parseWARC(head, nil)
		if record == nil {
			if err == nil {
				t.Fatalf("%q: neither record nor error", head)
			}
			return
		}
		if err == nil && record.ContentLength < 0 || record.Format != WARC || record.ARC != nil {
			t.Fatalf("%q: %+v", head, record)
		}
		for _, field := range record.Header {
			if strings.ContainsAny(field.Name+field.Value, "\n") || !record.Header.Has(field.Name) {
				t.Fatalf("%q: field %q", head, field)
			}
		}
		record.Date()
		record.TargetURI()
	})
}
