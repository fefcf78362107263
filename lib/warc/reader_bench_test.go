package warc

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// asARC gives the crawl's records as those of an ARC file, in members or plain.
func (c *crawl) asARC(t testing.TB, plain bool) []byte {
	t.Helper()
	var out bytes.Buffer
	r := NewReader(bytes.NewReader(c.data), int64(len(c.data)), Options{})
	for record, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(record.Body)
		if err != nil {
			t.Fatal(err)
		}
		text := arcRecord(record.TargetURI(), string(block))
		if plain {
			out.WriteString(text)
		} else {
			out.Write(gzipped(t, text))
		}
	}
	return out.Bytes()
}

// inflated gives the crawl as a file that is not compressed.
func (c *crawl) inflated(t testing.TB) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(c.data))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// BenchmarkReader reads files of 5,000 records, of which it skips the blocks.
// inflate and inflate-arc are the bare inflating of the same members, one by
// one: the least that a reader which verifies them can take.
func BenchmarkReader(b *testing.B) {
	c := makeCrawl(b, 5000)
	arc := c.asARC(b, false)
	for name, data := range map[string][]byte{
		"warc": c.data, "arc": arc, "plain-warc": c.inflated(b), "plain-arc": c.asARC(b, true), "one-member": gzipped(b, string(c.inflated(b))),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
				n := 0
				for _, err := range r.Records() {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != len(c.offsets) {
					b.Fatal(n)
				}
			}
		})
	}
	for name, data := range map[string][]byte{"inflate": c.data, "inflate-arc": arc} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			var z gzip.Reader
			for b.Loop() {
				in := bytes.NewReader(data)
				for in.Len() > 0 {
					if err := z.Reset(in); err != nil {
						b.Fatal(err)
					}
					z.Multistream(false)
					if _, err := io.Copy(io.Discard, &z); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
