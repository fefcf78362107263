package derive

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLongBlock derives from a block that is longer than what is held of one: digests and
// lengths are of all of it.
func TestLongBlock(t *testing.T) {
	const behind = 10 // bytes after what the Content-Length of the message says
	body := bytes.Repeat([]byte("0123456789abcdef"), maxBlock/16+1000)
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n", len(body)-behind)
	var file bytes.Buffer
	z, _ := gzip.NewWriterLevel(&file, gzip.BestSpeed)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\nWARC-Target-URI: http://a.example/\r\n"+
		"WARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s", len(head)+len(body), head)
	z.Write(body)
	z.Write([]byte("\r\n\r\n"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "long.warc.gz")
	if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	records, index, rejects := derive(t, path)
	if len(records[WAT]) != 1 {
		t.Fatalf("%d records: %s", len(records[WAT]), rejects)
	}
	var wat struct {
		Envelope struct {
			Payload struct {
				Length string `json:"Actual-Content-Length"`
				Digest string `json:"Block-Digest"`
				HTTP   struct {
					Length string `json:"Entity-Length"`
					Digest string `json:"Entity-Digest"`
					Slop   string `json:"Entity-Trailing-Slop-Length"`
				} `json:"HTTP-Response-Metadata"`
			} `json:"Payload-Metadata"`
		}
	}
	if err := json.Unmarshal([]byte(records[WAT][0].block), &wat); err != nil {
		t.Fatal(err)
	}
	p := wat.Envelope.Payload
	for _, test := range []struct{ what, got, want string }{
		{"Actual-Content-Length", p.Length, fmt.Sprint(len(head) + len(body))},
		{"Block-Digest", p.Digest, sha1Of(append([]byte(head), body...))},
		{"Entity-Length", p.HTTP.Length, fmt.Sprint(len(body) - behind)},
		{"Entity-Digest", p.HTTP.Digest, sha1Of(body[:len(body)-behind])},
		{"Entity-Trailing-Slop-Length", p.HTTP.Slop, fmt.Sprint(behind)},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.what, test.got, test.want)
		}
	}
	if want := `"digest": "` + strings.TrimPrefix(sha1Of(body), "sha1:") + `"`; !strings.Contains(index, want) {
		t.Errorf("index: %s, want %s", index, want)
	}
}

func sha1Of(data []byte) string {
	sum := sha1.Sum(data)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
