package payload

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// encode puts a payload into a coding.
func encode(t testing.TB, coding string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "chunked":
		for len(data) > 0 {
			n := min(len(data), 1000)
			fmt.Fprintf(&b, "%x\r\n%s\r\n", n, data[:n])
			data = data[n:]
		}
		return append(b.Bytes(), "0\r\n\r\n"...)
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "raw":
		w, _ = flate.NewWriter(&b, 6)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// page is a payload that is longer than the decoders' buffers.
var page = []byte("<html>" + strings.Repeat("some text of a page, and more; ", 5000) + "</html>")

func TestDecode(t *testing.T) {
	var d Decoder
	for _, test := range []struct{ transfer, content, codings string }{
		{"", "", ""},
		{"", "identity", ""},
		{"chunked", "", "chunked"},
		{"", "gzip", "gzip"},
		{"", "x-gzip", "gzip"},
		{"", "GZIP ", "gzip"},
		{"", "deflate", "deflate"},
		{"", "deflate", "raw"},
		{"", "br", "br"},
		{"", "zstd", "zstd"},
		{"Chunked", "gzip", "gzip chunked"},
		{"gzip, chunked", "", "gzip chunked"},
		{"chunked", "deflate, gzip, br", "deflate gzip br chunked"},
		// The head names what has been taken off already.
		{"chunked", "gzip", ""},
		{"chunked", "br", ""},
		{"", "deflate", ""},
		{"", "zstd", ""},
		{"chunked", "gzip", "gzip"},
	} {
		body := page
		for _, coding := range strings.Fields(test.codings) {
			body = encode(t, coding, body)
		}
		got, err := d.DecodeFrom([]byte(test.transfer), []byte(test.content), body)
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("%+v: %d bytes, %v", test, len(got), err)
		}
	}
}

func TestDecodeGivesWhatIsThere(t *testing.T) {
	var d Decoder
	for _, coding := range []string{"chunked", "gzip", "deflate", "raw", "br", "zstd"} {
		// Random-looking text, so that half of the coded bytes are much of it.
		var text []byte
		for i := range 100000 {
			text = fmt.Appendf(text, "%d ", i*i*7919%100003)
		}
		coded := encode(t, coding, text)
		name := coding
		if coding == "raw" {
			name = "deflate"
		}
		transfer, content := "", name
		if coding == "chunked" {
			transfer, content = name, ""
		}
		got, err := d.DecodeFrom([]byte(transfer), []byte(content), coded[:len(coded)/2])
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) < len(text)/5 || !bytes.HasPrefix(text, got) {
			t.Errorf("%s cut off: %d of %d bytes, %v", coding, len(got), len(text), err)
		}
		damaged := bytes.Clone(coded)
		for i := len(damaged) * 3 / 4; i < len(damaged)*3/4+64; i++ {
			damaged[i] ^= 0x5a
		}
		got, err = d.DecodeFrom([]byte(transfer), []byte(content), damaged)
		if (coding == "gzip" || coding == "br" || coding == "zstd") && (!errors.Is(err, ErrDamaged) && !errors.Is(err, io.ErrUnexpectedEOF) || len(got) == 0) {
			t.Errorf("%s damaged: %d of %d bytes, %v", coding, len(got), len(text), err)
		}
	}
}

func TestDecodeIsBounded(t *testing.T) {
	d := Decoder{Limit: 1000}
	for _, coding := range []string{"", "chunked", "gzip", "deflate", "br", "zstd"} {
		body := page
		if coding != "" {
			body = encode(t, coding, page)
		}
		transfer, content := "", coding
		if coding == "chunked" {
			transfer, content = coding, ""
		}
		got, err := d.DecodeFrom([]byte(transfer), []byte(content), body)
		if !errors.Is(err, ErrTooLarge) || len(got) > 1000 || len(got) < 1000-258 || !bytes.HasPrefix(page, got) {
			t.Errorf("%q: %d bytes, %v", coding, len(got), err)
		}
	}
	for _, size := range []int{999, 1000} {
		got, err := d.DecodeFrom(nil, []byte("gzip"), encode(t, "gzip", page[:size]))
		if err != nil || len(got) != size {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
}

func TestDecodeMembers(t *testing.T) {
	var d Decoder
	body := append(encode(t, "gzip", []byte("one ")), encode(t, "gzip", []byte("two"))...)
	got, err := d.DecodeFrom(nil, []byte("gzip"), append(body, "garbage"...))
	if err != nil || string(got) != "one two" {
		t.Errorf("%q, %v", got, err)
	}
	got, err = d.DecodeFrom(nil, []byte("sdch"), []byte("data"))
	if !errors.Is(err, ErrUnknown) || string(got) != "data" {
		t.Errorf("%q, %v", got, err)
	}
	got, err = d.DecodeFrom(nil, []byte(strings.Repeat("gzip,", 20)), []byte("data"))
	if !errors.Is(err, ErrUnknown) || string(got) != "data" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestMessage(t *testing.T) {
	m, ok := Parse([]byte("HTTP/1.1 200 OK\r\nA: b\r\nContent-Encoding: gzip\r\n more: x\r\nno colon\r\nTransfer-Encoding : chunked\r\na: c\r\n\r\n" + "5\r\nhello\r\n0\r\n\r\n"))
	if !ok || string(m.StartLine()) != "HTTP/1.1 200 OK" || string(m.Status()) != "200" {
		t.Fatalf("%q", m.Head)
	}
	if string(m.Field("content-encoding")) != "gzip more: x" || string(m.Field("A")) != "b" || m.Field("none") != nil {
		t.Errorf("fields of %q", m.Head)
	}
	n := 0
	for range m.Fields() {
		n++
	}
	if n != 4 {
		t.Errorf("%d fields", n)
	}
	var d Decoder
	got, err := d.Decode(Message{Head: []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), Body: m.Body})
	if err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if m, ok := Parse([]byte("no message")); ok || string(m.Body) != "no message" || m.Status() != nil {
		t.Errorf("%q", m)
	}
	if m, ok := Parse([]byte("HTTP/1.1 404 x\nA: b")); !ok || len(m.Body) != 0 || string(m.Field("a")) != "b" {
		t.Errorf("%q", m)
	}
}

func FuzzDecode(f *testing.F) {
	for _, coding := range []string{"gzip", "deflate", "br", "zstd", "chunked"} {
		f.Add("", coding, encode(f, coding, page[:2000]))
		f.Add(coding, "gzip", encode(f, coding, page[:2000]))
	}
	f.Add("gzip, chunked", "br,zstd", []byte("5\r\nhello"))
	f.Fuzz(func(t *testing.T, transfer, content string, body []byte) {
		d := Decoder{Limit: 1 << 16}
		got, err := d.DecodeFrom([]byte(transfer), []byte(content), body)
		if len(got) > d.Limit {
			t.Fatalf("%d bytes", len(got))
		}
		first := string(got)
		d.DecodeFrom([]byte("chunked"), []byte("gzip"), []byte("3\r\nabc"))
		again, err2 := d.DecodeFrom([]byte(transfer), []byte(content), body)
		if string(again) != first || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("%q, %v and then %q, %v", first, err, again, err2)
		}
	})
}
