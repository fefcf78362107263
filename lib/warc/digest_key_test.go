package warc

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// TestDigestsHaveOneKey writes a digest in each form that archives and indexes have.
func TestDigestsHaveOneKey(t *testing.T) {
	one, two, three, four := md5.Sum([]byte("x")), sha1.Sum([]byte("x")), sha256.Sum256([]byte("x")), sha512.Sum512([]byte("x"))
	keys := map[string]string{}
	for algorithm, sum := range map[string][]byte{"md5": one[:], "sha1": two[:], "sha256": three[:], "sha512": four[:]} {
		names := []string{algorithm + ":", strings.ToUpper(algorithm) + ":", strings.Replace(strings.Replace(algorithm, "md", "md-", 1), "sha", "sha-", 1) + ":", ""}
		b32 := base32.StdEncoding.EncodeToString(sum)
		for _, value := range []string{
			b32, strings.ToLower(b32), strings.TrimRight(b32, "="), hex.EncodeToString(sum), strings.ToUpper(hex.EncodeToString(sum)),
			base64.StdEncoding.EncodeToString(sum), base64.URLEncoding.EncodeToString(sum),
		} {
			for _, name := range names {
				if got := string(AppendDigestKey([]byte("+"), []byte(name+value))); got != "+"+algorithm+":"+b32 {
					t.Errorf("%s%s: %s", name, value, got)
				}
			}
		}
		if other, ok := keys[b32]; ok {
			t.Errorf("%s and %s have one key", algorithm, other)
		}
		keys[b32] = algorithm
	}
	for text, want := range map[string]string{"": "", "-": "", "blake3:x": "blake3:x", "sha1:short": "short", "D7": "D7"} {
		if got := string(AppendDigestKey(nil, []byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDigestOfNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ": true, "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ": true,
		"sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855": true,
		"D41D8CD98F00B204E9800998ECF8427E":                                         true, "sha1:LC43NA4MJILWX5KPDVBVIRD2OMPTNLJD": false, "": false, "-": false, "x:y": false,
	} {
		if got := IsDigestOfNothing([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
