package where

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/surt"
)

// Words that make captures and the constants that they are compared with, so that
// many comparisons are true.
var (
	someURLs = []string{
		"http://www.a.com/", "http://a.com:8080/x?b=1&a=2", "https://sub.a.com/y", "http://WWW.www.com/", "http://www2.b.co.uk/a",
		"http://1.2.3.4/", "http://16909060/x", "http://b.co.uk./%61", "dns:a.com", "http://https://c.org/z", "http://u@a.com/u",
		"http://bücher.de/x", "http://.x.a.com/", "urn:uuid:1", "http://localhost/", "http://a.com?q", "http:////a.com/z", "dns://www.a.com/z",
	}
	someHosts = []string{"a.com", "www.a.com", "sub.a.com", "www.com", "www.www.com", "b.co.uk", "www2.b.co.uk", "1.2.3.4", "16909060", "c.org", "localhost", "x.a.com", "xn--bcher-kva.de", ""}
	someTexts = []string{"text/html", "20111204", "2012", "", "D1", "D2", "f1.warc.gz", "a", "A"}
)

func pick[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }

// randomCapture makes a capture of some URL.
func randomCapture(random *rand.Rand) *cdx.Capture {
	url := pick(random, someURLs)
	return &cdx.Capture{
		Key: []byte(surt.Key(url)), Timestamp: fmt.Appendf(nil, "20%02d%02d04120000", 10+random.IntN(4), 1+random.IntN(12)),
		URL: []byte(url), Mime: []byte(pick(random, someTexts)), Status: []byte(pick(random, []string{"200", "404", "301", "", "x"})),
		Digest: []byte(pick(random, []string{"sha1:D1", "D2", ""})), Filename: []byte("f1.warc.gz"),
		Offset: int64(random.IntN(4)), Length: int64(random.IntN(5) - 1),
	}
}

// randomCondition makes the text of a condition.
func randomCondition(random *rand.Rand, depth int) string {
	if depth > 0 {
		switch random.IntN(4) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", randomCondition(random, depth-1), pick(random, []string{"&&", "and"}), randomCondition(random, depth-1))
		case 1:
			return fmt.Sprintf("(%s %s %s)", randomCondition(random, depth-1), pick(random, []string{"||", "or"}), randomCondition(random, depth-1))
		case 2:
			return pick(random, []string{"!", "not "}) + "(" + randomCondition(random, depth-1) + ")"
		}
	}
	compare := pick(random, []string{"==", "!=", "<", "<=", ">", ">="})
	quoted := func(of []string) string { return fmt.Sprintf("%q", pick(random, of)) }
	addressed := func() (field, constant string) {
		switch random.IntN(4) {
		case 0:
			key := surt.Key(pick(random, someURLs))
			return "surt", fmt.Sprintf("%q", key[:random.IntN(len(key)+1)])
		case 1:
			url := pick(random, someURLs)
			return "url", fmt.Sprintf("%q", url[:len(url)-random.IntN(3)])
		case 2:
			return "host", quoted(someHosts)
		}
		return "domain", quoted(someHosts)
	}
	switch random.IntN(8) {
	case 0, 1:
		field, constant := addressed()
		return field + " " + pick(random, []string{"==", "==", compare, "startsWith", "endsWith", "contains"}) + " " + constant
	case 2:
		field, constant := addressed()
		return constant + " " + compare + " " + field
	case 3:
		field, constant := addressed()
		return fmt.Sprintf("%s in [%s, %s]", field, constant, quoted(someHosts))
	case 4:
		if random.IntN(5) == 0 {
			return "timestamp " + compare + " " + quoted([]string{"2011", "2011-06", "20120304120000", "2012-03-04T12:00:00Z"})
		}
		return pick(random, []string{"mime", "digest", "filename", "meta"}) + " " + compare + " " + quoted(someTexts)
	case 5:
		return pick(random, []string{"status in 200..301", "status in [200, 404]", "status not in [200]", `url matches "www.?\\."`, "len(url) > 14", "true", "false"})
	case 6:
		return fmt.Sprintf("%d %s %s", pick(random, []int{-1, 0, 2, 200, 301, 2011}), compare, pick(random, []string{"status", "length", "offset", "year", "month"}))
	}
	return fmt.Sprintf("%s %s %d", pick(random, []string{"status", "length", "offset", "year", "month"}), compare, pick(random, []int{-1, 0, 2, 200, 301, 2011}))
}

// TestShortWaysAgreeWithTheMachine compares all evaluation with that of expr, and
// ranges of keys with what a scan finds.
func TestShortWaysAgreeWithTheMachine(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	matched, selecting := 0, 0
	for range 4000 {
		source := randomCondition(random, random.IntN(4))
		fast, err := CompileCondition(source, &Captures)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		reference, err := CompileValue(source, &Captures)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		ranges := fast.KeyRanges()
		if Selects(ranges) {
			selecting++
		}
		var record Capture
		for range 20 {
			c := randomCapture(random)
			record.SetCapture(c)
			got, err := fast.Match(&record)
			want, err2 := reference.Value(&record)
			if got != want || err != nil || err2 != nil {
				t.Fatalf("%s of %s: %v, but expr says %v; %v, %v", source, c.URL, got, want, err, err2)
			}
			if got {
				matched++
				if line := string(cdx.LayoutCDXJ.Append(nil, c)); !inside(ranges, line) {
					t.Fatalf("%s: %s is in none of %q", source, line, ranges)
				}
			}
		}
	}
	if matched < 10000 || selecting < 300 {
		t.Errorf("%d matches, %d conditions with ranges: too few to tell anything", matched, selecting)
	}
}

// inside says whether a line is in one of the ranges, and holds these to their order.
func inside(ranges []Range, line string) bool {
	found := false
	for i, r := range ranges {
		if i > 0 && (ranges[i-1].To == "" || ranges[i-1].To >= r.From) {
			return false
		}
		found = found || line >= r.From && (r.To == "" || line < r.To)
	}
	return found
}

// FuzzCompile holds the compiler to an answer.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{`status == 200`, `a.b[0].c contains "x" && !d`, `let x = 1; x`, `value("a(b)") ?? 2`, `any(a.b, .c == 1)`, `{"a": url}.a`, `"a" in surt`, `1..2`} {
		f.Add(s)
	}
	record := &Capture{}
	record.SetCapture(&cdx.Capture{Key: []byte("a"), URL: []byte("http://a/"), Length: -1})
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 200 || strings.Contains(source, "..") || strings.Contains(source, "repeat") {
			return // large lists are made, slowly
		}
		for _, schema := range []*Schema{&Captures, &Enriched} {
			e, err := CompileCondition(source, schema)
			if err != nil {
				continue
			}
			e.Match(record)
			for i, r := range e.KeyRanges() {
				if r.To != "" && r.From >= r.To || i > 0 && r.From <= e.KeyRanges()[i-1].To {
					t.Errorf("%s: %q", source, e.KeyRanges())
				}
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	for _, source := range []string{
		`status == 200 && mime == "text/html" && domain == "15october.net" && timestamp >= "201112"`,
		`status == 200 && len(url) > 10`,
	} {
		b.Run(source[:20], func(b *testing.B) {
			e, err := CompileCondition(source, &Captures)
			if err != nil {
				b.Fatal(err)
			}
			record := capture(b, page)
			b.ReportAllocs()
			for b.Loop() {
				record.hasHost = false
				if ok, err := e.Match(record); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := CompileCondition(`status == 200 && mime == "text/html" && domain == "15october.net"`, &Captures); err != nil {
			b.Fatal(err)
		}
	}
}
