package inflate

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	fast "github.com/klauspost/compress/gzip"
)

// archiveFiles gives all gzip files below
// ARCHIVESTREAM_DATA.
func archiveFiles(t testing.TB) map[string][]byte {
	t.Helper()
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		t.Skip("ARCHIVESTREAM_DATA names no folder of real archive files")
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".gz") {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no gzip files below %s", dir)
	}
	return files
}

// records gives members as crawlers write them: an HTTP header and a page.
func records(t testing.TB) []byte {
	var out []byte
	for i := range 300 {
		data := append([]byte("WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"), text(5000+i*83)...)
		out = append(out, member(t, data, 6)...)
	}
	return out
}

// realMembers gives the members of the sound files, up to 8 MiB inflated.
func realMembers(t testing.TB) []byte {
	var all []byte
	d := Decoder{Limit: 8 << 20}
	buf := make([]byte, 0, 9<<20)
	for _, data := range archiveFiles(t) {
		for at := 0; at < len(data); {
			_, n, err := d.Member(buf, data[at:])
			if err != nil {
				break
			}
			all = append(all, data[at:at+n]...)
			at += n
		}
	}
	return all
}

// BenchmarkMembers inflates members one after the other. MB/s are those of the
// inflated data.
func BenchmarkMembers(b *testing.B) {
	for name, make := range map[string]func(testing.TB) []byte{"made": records, "real": realMembers} {
		b.Run(name, func(b *testing.B) {
			src := make(b)
			b.Run("inflate", func(b *testing.B) { benchInflate(b, src) })
			b.Run("klauspost", func(b *testing.B) { benchStream(b, src, new(fast.Reader)) })
			b.Run("standard", func(b *testing.B) { benchStream(b, src, new(gzip.Reader)) })
		})
	}
}

func benchInflate(b *testing.B, src []byte) {
	d := Decoder{Limit: 8 << 20}
	buf := make([]byte, 0, 8<<20)
	b.ReportAllocs()
	for b.Loop() {
		size := 0
		for at := 0; at < len(src); {
			out, n, err := d.Member(buf, src[at:])
			if err != nil {
				b.Fatal(err)
			}
			at += n
			size += len(out)
		}
		b.SetBytes(int64(size))
	}
}

// A stream is a gzip reader of the standard library or klauspost's.
type stream interface {
	io.Reader
	Reset(io.Reader) error
	Multistream(bool)
}

func benchStream(b *testing.B, src []byte, z stream) {
	buf := make([]byte, 8<<20)
	b.ReportAllocs()
	for b.Loop() {
		size := 0
		for in := bytes.NewReader(src); in.Len() > 0; {
			if err := z.Reset(in); err != nil {
				b.Fatal(err)
			}
			z.Multistream(false)
			n, err := io.ReadFull(z, buf)
			if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
				b.Fatal(err)
			}
			size += n
		}
		b.SetBytes(int64(size))
	}
}
