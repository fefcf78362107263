package surt

import (
	"strings"
	"testing"
)

// typical URLs are those that crawls are full of.
var typical = []string{
	"http://www.example.com/",
	"https://www.example.org/about/history.html",
	"https://news.example.co.uk/2021/03/04/some-longer-title-of-an-article/?utm_source=feed&utm_medium=rss",
	"http://example.net/index.php?id=1234&lang=en&page=2",
	"https://cdn.example.com/assets/js/jquery-3.5.1.min.js?ver=5.6.2",
	"http://images.example.org/Thumbs/IMG_0042.JPG",
	"https://www.example.gov/wp-content/uploads/2020/10/Annual-Report-2019.pdf",
	"https://forum.example.de/viewtopic.php?f=12&t=3456&sid=0123456789abcdef0123456789abcdef#p7890",
	"http://shop.example.fr:8080/catalogue/produit.do?ref=A%2012&cat=outils",
	"https://fonts.example.com/css?family=Open+Sans%3A300%2C400%2C600&display=swap",
}

func BenchmarkAppend(b *testing.B) {
	urls := make([][]byte, len(typical))
	for i, url := range typical {
		urls[i] = []byte(url)
	}
	var key []byte
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		key = Append(key[:0], urls[n%len(urls)])
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "urls/s")
}

func BenchmarkKey(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		Key(typical[n%len(typical)])
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "urls/s")
}

func BenchmarkHard(b *testing.B) {
	for name, url := range map[string]string{
		"idn":        "http://b\u00fccher.example/\u00fcber?stra\u00dfe",
		"slashes":    "http://example.com/" + strings.Repeat("/a/..", 200_000),
		"escapes":    "http://example.com/" + strings.Repeat("%25", 300_000),
		"nested":     "http://example.com/%" + strings.Repeat("25", 500_000),
		"parameters": "http://example.com/?" + strings.Repeat("b&a=1&", 150_000),
		"cfid":       "http://example.com/?" + strings.Repeat("cfid=", 200_000),
		"tokens":     "http://example.com/?" + strings.Repeat("cfid=&cftoken=", 70_000),
		"sessions":   "http://example.com/" + strings.Repeat("(0123456789abcdefghijklmn)/", 40_000) + "%3f.aspx",
		"labels":     "http://" + strings.Repeat("a.", 500_000),
		"wide":       "http://" + strings.Repeat("\u00fc", 500_000),
		"digits":     "http://" + strings.Repeat("1", 1_000_000),
	} {
		b.Run(name, func(b *testing.B) {
			raw := []byte(url)
			var key []byte
			b.SetBytes(int64(len(url)))
			for b.Loop() {
				key = Append(key[:0], raw)
			}
		})
	}
}
