package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
)

var sha1Label = []byte("sha1:")

// AppendDigestKey appends the one form in which digests are compared: equal digests
// have equal keys, whether they are labelled or not, in Base32, Base64 or hexadecimal
// digits, and however the algorithm's name is written. It is ALGORITHM:BASE32 of a
// digest that ParseDigest takes, else the text itself without a label sha1:. Nothing is appended for "" and
// "-", which stand for no digest.
func AppendDigestKey(dst, text []byte) []byte {
	value := bytes.TrimPrefix(text, sha1Label)
	switch {
	case len(value) == base32.StdEncoding.EncodedLen(sha1.Size) && isBase32(value): // as most archives have it
		return append(append(dst, sha1Label...), value...)
	case absent(string(text)):
		return dst
	}
	d, err := ParseDigest(string(text))
	if err != nil {
		return append(dst, value...)
	}
	return append(append(append(dst, d.Algorithm...), ':'), base32.StdEncoding.EncodeToString(d.Sum)...)
}

func isBase32(text []byte) bool {
	for _, c := range text {
		if (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// IsDigestOfNothing reports whether a digest, in any form, is that of no bytes.
func IsDigestOfNothing(text []byte) bool {
	d, err := ParseDigest(string(text))
	if err != nil {
		return false
	}
	for _, a := range algorithms {
		if a.name == d.Algorithm {
			return bytes.Equal(a.make().Sum(nil), d.Sum)
		}
	}
	return false
}
