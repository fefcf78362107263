package index

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/corpus"
)

// corpusFile makes an archive of about 20 MB and gives its bytes.
func corpusFile(b *testing.B, format string) []byte {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "corpus")
	_, err := corpus.Make(dir, corpus.Options{
		Records: 4000, Seed: 1, Files: 1, FileSize: 1 << 30, Hosts: 100, Format: format, Compress: true, MinSize: 2000, MaxSize: 60000,
	})
	if err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "archives", "*"))
	if err != nil || len(files) != 1 {
		b.Fatalf("%d archives, %v", len(files), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// BenchmarkArchive indexes an archive to CDXJ and, for ARC, computes all digests.
func BenchmarkArchive(b *testing.B) {
	for _, format := range []string{"warc", "arc"} {
		data := corpusFile(b, format)
		for _, layout := range []cdx.Layout{cdx.LayoutCDXJ, cdx.LayoutAll} {
			b.Run(fmt.Sprintf("%s/%s", format, layout), func(b *testing.B) {
				var line []byte
				x := New(Options{RobotFlags: layout.HasRobotFlags()}, Sink{
					Capture: func(c *cdx.Capture) error { line = layout.Append(line[:0], c); return nil },
					Fault:   func(offset int64, reason string) error { return fmt.Errorf("offset %d: %s", offset, reason) },
					Count:   func(string, int64) {},
				})
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if err := x.Archive(bytes.NewReader(data), int64(len(data)), "a", "a"); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
