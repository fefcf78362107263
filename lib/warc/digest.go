package warc

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"

	"archivestream/lib/payload"
)

// A Digest is a labelled digest (ISO 28500, section 5.8).
type Digest struct {
	Algorithm string // sha1, md5, sha256 or sha512
	Sum       []byte
}

var algorithms = []struct {
	name string
	size int
	make func() hash.Hash
}{
	{"sha1", sha1.Size, sha1.New},
	{"md5", md5.Size, md5.New},
	{"sha256", sha256.Size, sha256.New},
	{"sha512", sha512.Size, sha512.New},
}

// ErrAlgorithm is the error of a digest that cannot be checked because its
// algorithm is not known.
var ErrAlgorithm = errors.New("unknown digest algorithm")

// ParseDigest parses ALGORITHM:VALUE or, as CDX files have it, the value alone,
// whose length tells the algorithm. The value may be in base32, with or without
// padding, or in hexadecimal digits, in any letter case, or in base64 of either
// alphabet; names may be written like SHA-1.
func ParseDigest(s string) (Digest, error) {
	name, value, labelled := strings.Cut(s, ":")
	if !labelled {
		name, value = "", s
	}
	name = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "-", ""))
	value = strings.TrimSpace(value)
	known := false
	for _, a := range algorithms {
		if labelled && a.name != name {
			continue
		}
		known = labelled
		if sum := decodeSum(value, a.size); sum != nil {
			return Digest{a.name, sum}, nil
		}
	}
	if !known {
		return Digest{}, fmt.Errorf("%w: %q", ErrAlgorithm, shortened(s))
	}
	return Digest{}, fmt.Errorf("digest %q is no %s", shortened(s), name)
}

// decodeSum gives the bytes that a value stands for, nil unless there are as
// many of them as wanted. Base32 goes first: 32 characters are SHA-1 in base32
// and MD5 in hexadecimal, and the former is what archives have.
func decodeSum(value string, size int) []byte {
	bare := strings.ToUpper(strings.TrimRight(value, "="))
	if sum, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(bare); err == nil && len(sum) == size {
		return sum
	}
	if sum, err := hex.DecodeString(value); err == nil && len(sum) == size {
		return sum
	}
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(value) // from the alphabet for URLs
	if sum, err := base64.StdEncoding.DecodeString(standard); err == nil && len(sum) == size {
		return sum
	}
	return nil
}

// String gives the form that archives have: ALGORITHM:BASE32, upper case.
func (d Digest) String() string {
	return d.Algorithm + ":" + base32.StdEncoding.EncodeToString(d.Sum)
}

// Equal says whether two digests are the same, however they were written.
func (d Digest) Equal(o Digest) bool {
	return d.Algorithm == o.Algorithm && bytes.Equal(d.Sum, o.Sum)
}

// A Mismatch is a digest that is not that of the record's data.
type Mismatch struct {
	Field    string   // WARC-Block-Digest, WARC-Payload-Digest or "digest of the list"
	Declared string   // as written
	Computed []string // what would have been right; none where Declared is malformed
}

// Error says what differs.
func (m *Mismatch) Error() string {
	if len(m.Computed) == 0 {
		return fmt.Sprintf("%s %q is malformed", m.Field, m.Declared)
	}
	return fmt.Sprintf("%s %s, but the data have %s", m.Field, m.Declared, strings.Join(m.Computed, " or "))
}

// ListDigest is the Field of a Mismatch with the digest of a capture list.
const ListDigest = "digest of the list"

// Verify reads the record's body to its end and compares it with the digests
// that the record declares and with that of a capture list (of the payload;
// empty or "-" if there is none). Digests of unknown algorithms are passed over,
// those of a record without an algorithm's name and of no known length are not.
// The error is that of reading.
//
// The payload of an HTTP message is what stands behind its head. The standard
// wants it without the transfer coding, Heritrix, wget and warcio take it as it
// was transferred: either is right. The payload of a revisit record is not in
// it, that of a segmented record not all: there the list is compared with what
// the record declares. Nor is the block of a revisit record checked: wget gives
// it the digest of nothing, pywb that of the block that it stands for.
func Verify(r *Record, listed string) ([]Mismatch, error) {
	v := verification{
		block:   newHashes(r.Header.Get("WARC-Block-Digest")),
		payload: newHashes(r.Header.Get("WARC-Payload-Digest"), listed),
	}
	v.decoded = v.payload.again()
	scanner := scanners.Get().(*blockScanner)
	defer scanners.Put(scanner)
	if _, err := scanner.scan(r, v.block, v.begin); err != nil {
		return nil, err
	}
	var found []Mismatch
	compare := func(field, declared string, computed ...*hashes) {
		if m := mismatch(field, declared, computed); m != nil {
			found = append(found, *m)
		}
	}
	if r.Type != Revisit {
		compare("WARC-Block-Digest", r.Header.Get("WARC-Block-Digest"), v.block)
	}
	if r.Type == Revisit || r.Header.Has("WARC-Segment-Number") {
		if m := differs(r.Header.Get("WARC-Payload-Digest"), listed); m != nil {
			found = append(found, *m)
		}
		return found, nil
	}
	payloads := []*hashes{v.payload}
	if v.chunks != nil && v.chunks.Sound() {
		payloads = append(payloads, v.decoded)
	}
	compare("WARC-Payload-Digest", r.Header.Get("WARC-Payload-Digest"), payloads...)
	compare(ListDigest, listed, payloads...)
	return found, nil
}

// scanners keeps the buffers of Verify between its calls.
var scanners = sync.Pool{New: func() any { return new(blockScanner) }}

// A verification holds what a record's data are hashed into.
type verification struct {
	block, payload, decoded *hashes
	chunks                  *payload.Dechunker
}

// begin gives the writer for the payload behind an HTTP head.
func (v *verification) begin(head []byte) io.Writer {
	if len(v.payload.byName) == 0 || !isChunked(head) {
		return v.payload
	}
	v.chunks = &payload.Dechunker{Out: v.decoded}
	return io.MultiWriter(v.payload, v.chunks)
}

// hashes compute one digest for each algorithm that is asked for.
type hashes struct{ byName map[string]hash.Hash }

func newHashes(declared ...string) *hashes {
	h := &hashes{byName: map[string]hash.Hash{}}
	for _, s := range declared {
		if d, err := ParseDigest(s); err == nil {
			h.add(d.Algorithm)
		}
	}
	return h
}

func (h *hashes) add(name string) {
	for _, a := range algorithms {
		if a.name == name && h.byName[name] == nil {
			h.byName[name] = a.make()
		}
	}
}

// again makes a set for the same algorithms.
func (h *hashes) again() *hashes {
	other := newHashes()
	for name := range h.byName {
		other.add(name)
	}
	return other
}

func (h *hashes) Write(p []byte) (int, error) {
	for _, one := range h.byName {
		one.Write(p)
	}
	return len(p), nil
}

func absent(declared string) bool { return declared == "" || declared == "-" }

func mismatch(field, declared string, computed []*hashes) *Mismatch {
	if absent(declared) {
		return nil
	}
	m := &Mismatch{Field: field, Declared: declared}
	want, err := ParseDigest(declared)
	if errors.Is(err, ErrAlgorithm) && (field == ListDigest || strings.Contains(declared, ":")) {
		return nil
	}
	if err != nil {
		return m
	}
	for _, h := range computed {
		got := Digest{want.Algorithm, h.byName[want.Algorithm].Sum(nil)}
		if got.Equal(want) {
			return nil
		}
		m.Computed = append(m.Computed, got.String())
	}
	return m
}

// differs compares a list's digest with a declared one, where both are known and
// of one algorithm.
func differs(declared, listed string) *Mismatch {
	if absent(declared) || absent(listed) {
		return nil
	}
	a, errA := ParseDigest(declared)
	b, errB := ParseDigest(listed)
	if errA != nil || errB != nil || a.Algorithm != b.Algorithm || a.Equal(b) {
		return nil
	}
	return &Mismatch{Field: ListDigest, Declared: listed, Computed: []string{a.String()}}
}
