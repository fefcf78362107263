package cctable

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"

	"archivestream/lib/cdx"
)

// madeLines gives n sorted lines of CDXJ that look like those of a crawl: many
// hosts of few captures and some of many.
func madeLines(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("about news archive page index article view item report budget senate house energy water health agency program research data public")
	tlds := []string{"com", "com", "com", "gov", "gov", "gov", "gov", "org", "org", "net", "edu", "de", "co.uk", "mil"}
	const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	lines := make([]string, 0, n)
	for len(lines) < n {
		tld := tlds[random.IntN(len(tlds))]
		domain := fmt.Sprintf("%s%s%d", words[random.IntN(len(words))], words[random.IntN(len(words))], random.IntN(400))
		host := domain + "." + tld
		if random.IntN(3) > 0 {
			host = "www." + host
		}
		labels := strings.Split(strings.TrimPrefix(host, "www."), ".")
		for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
			labels[i], labels[j] = labels[j], labels[i]
		}
		for range min(1+int(random.ExpFloat64()*30), n-len(lines)) {
			path := "/" + words[random.IntN(len(words))] + "/" + words[random.IntN(len(words))] + fmt.Sprintf("-%d.html", random.IntN(100000))
			if random.IntN(4) == 0 {
				path += fmt.Sprintf("?id=%d&lang=en", random.IntN(1000000))
			}
			digest := make([]byte, 32)
			for i := range digest {
				digest[i] = base32[random.IntN(32)]
			}
			lines = append(lines, fmt.Sprintf(`%s)%s 20081%d%02d%02d%02d%02d {"url": "http://%s%s", "mime": "text/html", "mime-detected": "application/xhtml+xml", "status": "200", "digest": "%s", "length": "%d", "offset": "%d", "filename": "crawl-data/EOT-2008/segments/IA-%03d/warc/DOTGOV-2008-01-%014d-%05d-crawling14.us.archive.org.arc.gz", "charset": "UTF-8", "languages": "eng"}`,
				strings.Join(labels, ","), path, random.IntN(3), 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60),
				host, path, digest, 500+random.IntN(50000), random.IntN(100_000_000), random.IntN(30), random.IntN(300), random.IntN(300)))
		}
	}
	sort.Strings(lines)
	return lines
}

// writeLines writes a table of lines and gives the captures that have no row.
func writeLines(tb testing.TB, out io.Writer, o Options, lines []string) (left []error) {
	tb.Helper()
	w, err := NewWriter(out, o)
	if err != nil {
		tb.Fatal(err)
	}
	var parser cdx.Parser
	var c cdx.Capture
	for _, line := range lines {
		if err := parser.Parse([]byte(line), &c); err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		if err := w.Write(&c); err != nil {
			if w.err != nil {
				tb.Fatalf("%s: %v", line, err)
			}
			left = append(left, err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return left
}

type countingWriter int64

func (n *countingWriter) Write(p []byte) (int, error) {
	*n += countingWriter(len(p))
	return len(p), nil
}

// cpuSeconds gives the time that the process has computed for.
func cpuSeconds(b *testing.B) float64 {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// BenchmarkWrite writes a million captures, parsed each, in one operation.
func BenchmarkWrite(b *testing.B) {
	lines := madeLines(1_000_000)
	for _, o := range []Options{{}, {BloomFilter: true}, {Compression: Gzip}} {
		b.Run(fmt.Sprintf("%s,bloom=%v", cmp.Or(o.Compression, Zstd), o.BloomFilter), func(b *testing.B) {
			b.ReportAllocs()
			begin := cpuSeconds(b)
			for b.Loop() {
				runtime.GC()
				var n countingWriter
				writeLines(b, &n, o, lines)
				b.ReportMetric(float64(n)/float64(len(lines)), "B/row")
			}
			b.ReportMetric(float64(len(lines))*float64(b.N)/(cpuSeconds(b)-begin), "rows/CPU-s")
		})
	}
}
