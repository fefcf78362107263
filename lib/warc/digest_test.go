package warc

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestParseDigest(t *testing.T) {
	const want = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"
	for in, want := range map[string]string{
		"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N":              want,
		"VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N":                   want,
		"vl2mmho4yxukfwv63yhtwsbm3gxksq2n":                   want,
		"SHA-1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n":             want,
		"sha1: VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N":             want,
		"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d":           want,
		"sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D":      want,
		"md5:5d41402abc4b2a76b9719d911017c592":               "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======",
		"md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======":               "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======",
		"md5:LVAUAKV4JMVHNOLRTWIRAF6FSI":                     "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======",
		"sha1:__________________________8=":                  "sha1:77777777777777777777777777777777",
		"sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=":                  want,
		"qvTGHdzF6KLavt4PO0gs2a6pQ00=":                       want,
		"5d41402abc4b2a76b9719d911017c592":                   "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======",
		"sha-256:" + strings.Repeat("00", 32):                "sha256:" + strings.Repeat("A", 52) + "====",
		"SHA256:" + strings.Repeat("A", 52):                  "sha256:" + strings.Repeat("A", 52) + "====",
		"sha512:" + strings.Repeat("00", 64):                 "sha512:" + strings.Repeat("A", 103) + "=",
		"":                                                   "",
		"-":                                                  "",
		"sha1:":                                              "",
		"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2":               "",
		"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ21":              "",
		"md5:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N":               "",
		"crc32:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d":     "",
		"sha1:sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N":         "",
		"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434daaf4c61ddc": "",
	} {
		got := ""
		if d, err := ParseDigest(in); err == nil {
			got = d.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzParseDigest(f *testing.F) {
	f.Add("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N")
	f.Add("md5:5d41402abc4b2a76b9719d911017c592")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDigest(s)
		if err != nil {
			return
		}
		again, err := ParseDigest(d.String())
		if err != nil || !again.Equal(d) {
			t.Fatalf("%q: %v, then %v, %v", s, d, again, err)
		}
	})
}

func sha1Of(s string) string {
	sum := sha1.Sum([]byte(s))
	return Digest{"sha1", sum[:]}.String()
}

func TestVerify(t *testing.T) {
	const (
		plain   = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
		chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n"
		chunks  = "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n"
	)
	httpType := "Content-Type: application/http; msgtype=response"
	wrong := sha1Of("wrong")
	for _, test := range []struct {
		name   string
		fields []string // of a WARC record
		arc    string   // or the line of an ARC record
		block  string
		listed string
		want   []Mismatch
	}{
		{name: "none declared", fields: []string{"WARC-Type: response", httpType}, block: plain + "hello", listed: "-"},
		{
			name: "all right", block: plain + "hello", listed: sha1Of("hello")[5:],
			fields: []string{"WARC-Type: response", httpType, "WARC-Block-Digest: " + sha1Of(plain+"hello"), "WARC-Payload-Digest: " + sha1Of("hello")},
		},
		{
			name: "a response by its block, whatever its record says of the type", block: plain + "hello", listed: sha1Of("hello"),
			fields: []string{"WARC-Type: response", "Content-Type: image/png"},
		},
		{
			name: "the block of a resource is its payload", block: plain + "hello", listed: sha1Of(plain + "hello"),
			fields: []string{"WARC-Type: resource", httpType},
		},
		{
			name: "all wrong", block: plain + "hello", listed: wrong,
			fields: []string{"WARC-Type: response", httpType, "WARC-Block-Digest: " + wrong, "WARC-Payload-Digest: " + wrong},
			want: []Mismatch{
				{"WARC-Block-Digest", wrong, []string{sha1Of(plain + "hello")}},
				{"WARC-Payload-Digest", wrong, []string{sha1Of("hello")}},
				{ListDigest, wrong, []string{sha1Of("hello")}},
			},
		},
		{
			name: "as transferred", block: chunked + chunks, listed: sha1Of("hello"),
			fields: []string{"WARC-Type: response", httpType, "WARC-Payload-Digest: " + sha1Of(chunks)},
		},
		{
			name: "coding taken off", block: chunked + chunks, listed: sha1Of(chunks),
			fields: []string{"WARC-Type: response", httpType, "WARC-Payload-Digest: " + sha1Of("hello")},
		},
		{
			name: "chunked and wrong", block: chunked + chunks, listed: wrong, fields: []string{"WARC-Type: response", httpType},
			want: []Mismatch{{ListDigest, wrong, []string{sha1Of(chunks), sha1Of("hello")}}},
		},
		{
			name: "the coding was taken off before", block: chunked + "hello", listed: wrong, fields: []string{"WARC-Type: response", httpType},
			want: []Mismatch{{ListDigest, wrong, []string{sha1Of("hello")}}},
		},
		{
			name: "request", block: "GET / HTTP/1.1\r\n\r\n", listed: "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
			fields: []string{"WARC-Type: request", "Content-Type: application/http; msgtype=request"},
		},
		{
			name: "resource that looks like HTTP", block: plain + "hello", listed: sha1Of(plain + "hello"),
			fields: []string{"WARC-Type: resource", "Content-Type: text/plain"},
		},
		{
			name: "malformed", block: "hello", fields: []string{"WARC-Type: resource", "WARC-Block-Digest: sha1:12345678"},
			want: []Mismatch{{"WARC-Block-Digest", "sha1:12345678", nil}},
		},
		{
			name: "no algorithm", block: "hello", fields: []string{"WARC-Type: resource", "WARC-Block-Digest: 12345678"},
			want: []Mismatch{{"WARC-Block-Digest", "12345678", nil}},
		},
		{
			name: "unknown algorithms", block: "hello", listed: "12345678",
			fields: []string{"WARC-Type: resource", "WARC-Block-Digest: crc32:12345678"},
		},
		{
			name: "revisit", block: plain, listed: "sha1:" + sha1Of("hello")[5:],
			fields: []string{"WARC-Type: revisit", httpType, "WARC-Block-Digest: " + wrong, "WARC-Payload-Digest: " + sha1Of("hello")},
		},
		{
			name: "revisit of something else", block: plain, listed: wrong,
			fields: []string{"WARC-Type: revisit", httpType, "WARC-Payload-Digest: " + sha1Of("hello")},
			want:   []Mismatch{{ListDigest, wrong, []string{sha1Of("hello")}}},
		},
		{
			name: "revisit with an undeclared payload", block: plain, listed: wrong,
			fields: []string{"WARC-Type: revisit", httpType},
		},
		{
			name: "segment", block: plain + "hel", listed: sha1Of("hello"),
			fields: []string{"WARC-Type: response", "WARC-Segment-Number: 1", httpType, "WARC-Payload-Digest: " + sha1Of("hello")},
		},
		{name: "ARC", arc: "http://a.example/ 0.0.0.0 20210304050607 text/html 5\n", block: "HTTP/1.0 200 OK\n\nhello", listed: sha1Of("hello")},
		{name: "ARC without status line", arc: "http://a.example/ 0.0.0.0 20210304050607 text/html 5\n", block: "hello", listed: sha1Of("hello")},
		{name: "ARC, short", arc: "http://a.example/ 0.0.0.0 20210304050607 text/html 5\n", block: "HTT", listed: sha1Of("HTT")},
		{name: "head without end", arc: "http://a.example/ 0.0.0.0 20210304050607 text/html 5\n", block: "HTTP/1.0 200 OK\r\n", listed: sha1Of("")},
		{name: "ARC, dns", arc: "dns:a.example 0.0.0.0 20210304050607 text/dns 5\n", block: "HTTP/1.0 200 OK\n\nhello", listed: sha1Of("HTTP/1.0 200 OK\n\nhello")},
	} {
		for _, slow := range []bool{false, true} {
			head := test.arc
			if head == "" {
				head = warcHead(append(test.fields, "WARC-Target-URI: http://a.example/", fmt.Sprint("Content-Length: ", len(test.block)))...)
			}
			r := recordOf(t, head, test.block)
			if slow {
				r.Body = iotest.OneByteReader(r.Body)
			}
			got, err := Verify(r, test.listed)
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s:\n%s", test.name, diff)
			}
			for _, m := range got {
				if len(m.Computed) > 0 == strings.Contains(m.Error(), "malformed") {
					t.Errorf("%s: message %q", test.name, m.Error())
				}
			}
		}
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N")
	f.Fuzz(func(t *testing.T, block, listed string) {
		r := recordOf(t, warcHead("WARC-Type: response", "Content-Type: application/http", "WARC-Block-Digest: "+sha1Of(block), "Content-Length: 1"), block)
		found, err := Verify(r, listed)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 && found[0].Field == "WARC-Block-Digest" {
			t.Fatalf("%v", found)
		}
	})
}
