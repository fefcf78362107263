package webpage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"
)

// benchPages are real pages, if there are any, else the page of the tests many times.
func benchPages(b *testing.B) []byte {
	if data := os.Getenv("ARCHIVESTREAM_DATA"); data != "" {
		if page, err := os.ReadFile(filepath.Join(data, "archives/commoncrawl__whirlwind-python/whirlwind.warc")); err == nil {
			return bytes.ToValidUTF8(page[bytes.Index(page, []byte("<!DOCTYPE")):], []byte("?"))
		}
	}
	return bytes.Repeat([]byte(garden), 100)
}

func BenchmarkParse(b *testing.B) {
	in := benchPages(b)
	for _, run := range []struct {
		name string
		want Want
	}{{"title", Title}, {"text", Text}, {"links", Links}, {"text and links and title", Title | Text | Links}, {"everything", everything}} {
		b.Run(run.name, func(b *testing.B) {
			var p Parser
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				p.Parse(in, run.want)
			}
		})
	}
	b.Run("tokens of golang.org/x/net/html", func(b *testing.B) {
		b.SetBytes(int64(len(in)))
		for b.Loop() {
			z := html.NewTokenizer(bytes.NewReader(in))
			for z.Next() != html.ErrorToken {
				z.TagName()
				for more := true; more; {
					_, _, more = z.TagAttr()
				}
			}
		}
	})
}
