package enrich

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
)

var (
	_ = registerHash("md5", func(p []byte) []byte { s := md5.Sum(p); return s[:] })
	_ = registerHash("sha1", func(p []byte) []byte { s := sha1.Sum(p); return s[:] })
	_ = registerHash("sha256", func(p []byte) []byte { s := sha256.Sum256(p); return s[:] })
)

func registerHash(name string, sum func([]byte) []byte) bool {
	return register(function{
		name: name, from: "payload", takes: 1<<Binary | 1<<Text, gives: Text,
		summary: "hash of a payload or text, in hexadecimal digits; absent where the payload is damaged or cut",
		derive: func(r *Record, from, out *Value) error {
			if r.incomplete {
				return nil // the hash of a part is that of nothing anybody has
			}
			out.setText(hex.AppendEncode(nil, sum(from.Bytes)))
			return nil
		},
	})
}
