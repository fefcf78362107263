package summary

import (
	"bytes"
	"cmp"
	"slices"

	"archivestream/lib/cdx"
	"archivestream/lib/ranges"
	"archivestream/lib/stage"
)

// A sample is a capture with its hash.
type sample struct {
	hash           uint64
	timestamp, url string
}

func (s sample) compare(o sample) int {
	return cmp.Or(cmp.Compare(s.hash, o.hash), cmp.Compare(s.timestamp, o.timestamp), cmp.Compare(s.url, o.url))
}

// A sampler keeps those n of the captures whose hashes are smallest.
type sampler struct {
	n       int
	kept    []sample // sorted
	scratch []byte
}

func newSampler(n int) *sampler { return &sampler{n: n} }

// capture takes a capture, if it is of a page that is worth a look.
func (s *sampler) capture(c *cdx.Capture, path []byte) {
	if s.n == 0 || string(c.Status) != "200" || string(c.Mime) != "text/html" || bytes.HasSuffix(path, []byte("/robots.txt")) || len(c.URL) == 0 {
		return
	}
	s.scratch = append(append(append(s.scratch[:0], c.Timestamp...), ' '), c.URL...)
	hash := ranges.Hash(s.scratch)
	if len(s.kept) == s.n && hash > s.kept[s.n-1].hash {
		return
	}
	s.add(sample{hash, string(c.Timestamp), string(c.URL)})
}

func (s *sampler) add(one sample) {
	i, found := slices.BinarySearchFunc(s.kept, one, sample.compare)
	if found || i == s.n {
		return
	}
	s.kept = slices.Insert(s.kept, i, one)
	s.kept = s.kept[:min(len(s.kept), s.n)]
}

func (s *sampler) emit(t *stage.Task) error {
	for _, one := range s.kept {
		if err := t.Emit([]byte("sample"), appendHash(nil, one.hash), []byte(one.timestamp), stage.AppendEscaped(nil, []byte(one.url))); err != nil {
			return err
		}
	}
	return nil
}

// appendHash appends a hash in sixteen hexadecimal digits.
func appendHash(dst []byte, hash uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, digits[hash>>shift&15])
	}
	return dst
}
