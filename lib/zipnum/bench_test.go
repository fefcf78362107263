package zipnum

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpu reports the CPU time that an operation takes on all cores.
func cpu(b *testing.B) {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	begin := used()
	b.Cleanup(func() { b.ReportMetric(float64(used()-begin)/float64(b.N), "cpu-ns/op") })
}

// crawlLines are n lines like those of a crawl's index: about 350 bytes, with
// digests that do not compress.
func crawlLines(n int) []string {
	random := rand.New(rand.NewPCG(7, 7))
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	lines := make([]string, n)
	var digest [32]byte
	for i := range lines {
		for j := range digest {
			digest[j] = letters[random.IntN(32)]
		}
		host, page := i/50, random.IntN(1_000_000)
		lines[i] = fmt.Sprintf(`com,host%06d)/articles/%d/page-%06d.html 2020%02d%02d%02d%02d%02d {"url": "https://host%06d.com/articles/%d/page-%06d.html", "mime": "text/html", "mime-detected": "text/html", "status": "200", "digest": "%s", "length": "%d", "offset": "%d", "filename": "crawl-data/CC-MAIN-2020-05/segments/1579250589560.16/warc/CC-MAIN-20200117123339-20200117151339-%05d.warc.gz"}`,
			host, i%7, page, i%12+1, i%28+1, i%24, i%60, i%59, host, i%7, page, digest[:], 5000+random.IntN(20000), random.IntN(1<<30), random.IntN(600))
	}
	slices.Sort(lines)
	return lines
}

func BenchmarkWriter(b *testing.B) {
	lines := crawlLines(100_000)
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	for _, level := range []int{1, 6, 9} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("level=%d/workers=%d", level, workers), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				packed := new(sizeWriter)
				cpu(b)
				for b.Loop() {
					*packed = 0
					w, err := NewWriter(packed, io.Discard, "x", WriterOptions{Level: level, Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					for _, l := range lines {
						if err := w.WriteLine([]byte(l)); err != nil {
							b.Fatal(err)
						}
					}
					if err := w.Close(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(size)/float64(*packed), "ratio")
			})
		}
	}
}

type sizeWriter int

func (s *sizeWriter) Write(p []byte) (int, error) { *s += sizeWriter(len(p)); return len(p), nil }

// BenchmarkLookup looks keys up in an index of 1,000,000 lines.
func BenchmarkLookup(b *testing.B) {
	lines := crawlLines(1_000_000)
	keys := make([]string, len(lines))
	for i, l := range lines {
		keys[i], _, _ = strings.Cut(l, " ")
	}
	random := slices.Clone(keys)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(random), func(i, j int) { random[i], random[j] = random[j], random[i] })
	var shards [][]string
	for part := range slices.Chunk(lines, len(lines)/10) {
		shards = append(shards, part)
	}
	dir := cluster(b, WriterOptions{}, shards...)
	plain := writeFile(b, b.TempDir(), "index.cdxj", strings.Join(lines, "\n")+"\n")
	for name, path := range map[string]string{"zipnum": filepath.Join(dir, "cluster.idx"), "plain": plain} {
		for order, asked := range map[string][]string{"sorted": keys, "random": random} {
			b.Run(name+"/"+order, func(b *testing.B) {
				c := openCluster(b, path)
				b.ReportAllocs()
				i, found := 0, 0
				cpu(b)
				for b.Loop() {
					key := asked[i%len(asked)]
					for _, err := range c.Lines(key, key+"!") {
						if err != nil {
							b.Fatal(err)
						}
						found++
					}
					i++
				}
				if found < i {
					b.Errorf("%d lines of %d keys", found, i)
				}
			})
		}
		b.Run(name+"/all", func(b *testing.B) {
			c := openCluster(b, path)
			cpu(b)
			for b.Loop() {
				size := 0
				for line := range c.Lines("", "") {
					size += len(line) + 1
				}
				b.SetBytes(int64(size))
			}
		})
	}
}
