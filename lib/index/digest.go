package index

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"hash"
	"io"
	"strings"

	"archivestream/lib/warc"
)

// A digester computes SHA-1 digests.
type digester struct {
	hash   hash.Hash
	sum    []byte
	buffer []byte
}

func newDigester() digester {
	return digester{hash: sha1.New(), sum: make([]byte, 0, sha1.Size), buffer: make([]byte, 64<<10)}
}

// payload appends the digest of a record's payload to dst, in the form that
// archives have: of what has been read of it already and of the rest of the body.
func (d *digester) payload(dst, read []byte, r *warc.Record) ([]byte, error) {
	d.begin(read)
	if err := d.read(d.hash, r); err != nil {
		return dst, err
	}
	return d.end(dst), nil
}

// begin starts the digest of a payload with what has been read of it; the rest is written
// to the hash.
func (d *digester) begin(read []byte) {
	d.hash.Reset()
	d.hash.Write(read)
}

// end appends the digest that has been begun to dst, in the form that archives have.
func (d *digester) end(dst []byte) []byte {
	d.sum = d.hash.Sum(d.sum[:0])
	return base32.StdEncoding.AppendEncode(append(dst, "sha1:"...), d.sum)
}

// read reads a record's body to its end. What the reader holds in memory is not
// copied on its way; the body of a plain record would allocate a buffer for that.
func (d *digester) read(w io.Writer, r *warc.Record) error {
	if held, ok := r.Body.(io.WriterTo); ok && r.Compression != warc.Plain {
		_, err := held.WriteTo(w)
		return err
	}
	for {
		n, err := r.Body.Read(d.buffer)
		w.Write(d.buffer[:n]) // hashes and io.Discard take everything
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// usable says whether a declared digest can stand in an index: one that can be
// read, or that has the name of an algorithm that is not known.
func usable(declared string) bool {
	if declared == "" {
		return false
	}
	if value, ok := strings.CutPrefix(declared, "sha1:"); ok && len(value) == 32 && isBase32(value) {
		return true
	}
	_, err := warc.ParseDigest(declared)
	if err == nil {
		return true
	}
	name, value, labelled := strings.Cut(declared, ":")
	return errors.Is(err, warc.ErrAlgorithm) && labelled && isWord(name) && isWord(value)
}

func isBase32(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// isWord says whether a text is printable ASCII without spaces.
func isWord(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}

// verify reads the record's body to its end and compares it with the digests that
// the record declares. rest is what of the body has not been read.
func (x *Indexer) verify(r *warc.Record, rest io.Reader) ([]warc.Mismatch, error) {
	again := *r
	again.Body = io.MultiReader(bytes.NewReader(x.message.read), rest)
	return warc.Verify(&again, "")
}
