package index

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/warc"
)

func TestHeadOfAMessage(t *testing.T) {
	type head struct {
		Status, Type, Place string
		Robots              []string
		BehindHead          string
	}
	long := "X: " + strings.Repeat("x", 3*firstRead) + "\r\n"
	for name, step := range map[string]struct {
		block string
		want  head
	}{
		"usual":           {"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nLocation: /a\r\n\r\nbody", head{Status: "200", Type: "text/html; charset=x", Place: "/a", BehindHead: "body"}},
		"line feeds":      {"HTTP/1.0 404 No\ncontent-TYPE:text/plain\n\nbody", head{Status: "404", Type: "text/plain", BehindHead: "body"}},
		"nothing behind":  {"HTTP/1.1 204 No Content\r\n\r\n", head{Status: "204"}},
		"no end":          {"HTTP/1.1 200 OK\r\nContent-Type: a/b", head{Status: "200", Type: "a/b"}},
		"no fields":       {"HTTP/1.1 302", head{Status: "302"}},
		"small letters":   {"http/1.1  301  Moved\r\n\r\n", head{Status: "301"}},
		"odd status":      {"HTTP/1.1 2000 OK\r\n\r\n", head{}},
		"no status":       {"HTTP/1.1\r\nContent-Type: a/b\r\n\r\n", head{Type: "a/b"}},
		"first one":       {"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n\r\n", head{Status: "200", Type: "a/b"}},
		"folded":          {"HTTP/1.1 200 OK\r\nContent-Type:\r\n\ttext/html\r\nLocation: b\r\n\r\n", head{Status: "200", Type: "text/html", Place: "b"}},
		"space and names": {"HTTP/1.1 200 OK\r\nContent-Type : a/b\r\nContent-Types: c/d\r\nXLocation: e\r\n\r\n", head{Status: "200", Type: "a/b"}},
		"robots":          {"HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\nx-robots-tag: nofollow\r\n\r\n", head{Status: "200", Robots: []string{"noindex", "nofollow"}}},
		"long":            {"HTTP/1.1 200 OK\r\n" + long + "Content-Type: a/b\r\n\r\n" + "body", head{Status: "200", Type: "a/b", BehindHead: "body"}},
		"no HTTP":         {"SSH-2.0-OpenSSH\r\n\r\n", head{BehindHead: "SSH-2.0-OpenSSH\r\n\r\n"}},
		"empty":           {"", head{}},
	} {
		for way, body := range map[string]io.Reader{
			"at once": strings.NewReader(step.block), "by bytes": iotest.OneByteReader(strings.NewReader(step.block)),
		} {
			var m message
			if err := m.readHead(body); err != nil {
				t.Fatalf("%s, %s: %v", name, way, err)
			}
			got := head{Status: string(m.status), Type: string(m.contentType), Place: string(m.location), BehindHead: string(m.payload())}
			for _, r := range m.robots {
				got.Robots = append(got.Robots, string(r))
			}
			if diff := cmp.Diff(step.want, got); diff != "" {
				t.Errorf("%s, %s:\n%s", name, way, diff)
			}
			if want := len(step.block) - len(got.BehindHead); m.head != want {
				t.Errorf("%s, %s: head of %d bytes, want %d", name, way, m.head, want)
			}
		}
	}
}

func TestHeadThatCannotBeRead(t *testing.T) {
	broken := &warc.Defect{Kind: warc.BadMember}
	var m message
	err := m.readHead(io.MultiReader(strings.NewReader("HTTP/1.1 200"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	// A head that never ends is bounded.
	if err := m.readHead(io.MultiReader(strings.NewReader("HTTP/1.1 200\r\n"), io.LimitReader(zeros{}, 1<<30))); err != nil || len(m.read) > 4*maxHead {
		t.Errorf("%d bytes held, %v", len(m.read), err)
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestMediaType(t *testing.T) {
	for in, want := range map[string]string{
		"text/html": "text/html", " Text/HTML ; charset=utf-8": "Text/HTML", "a/b c": "a/b", "a/b\tc": "a/b", ";": "", "": "",
	} {
		if got := string(mediaType([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestRobotFlags(t *testing.T) {
	for page, want := range map[string]string{
		`<html><head><meta name="robots" content="noindex, NoFollow"></head>`:           "FI",
		`<META CONTENT='noarchive' NAME='ROBOTS'>`:                                      "A",
		`<meta name=robots content=none />`:                                             "FI",
		`<meta name=robots content=none/>`:                                              "",
		`<meta http-equiv="robots" content="noindex"><meta name=robots content="all">`:  "I",
		`</head><meta name="robots" content="noindex">`:                                 "",
		`</header><meta name="robots" content="noindex">`:                               "I",
		`<meta name="description" content="robots noindex">`:                            "",
		`<meta name="googlebot" content="noindex">`:                                     "",
		`<metadata name="robots" content="noindex">`:                                    "",
		`<meta name="robots" content="index>follow,noarchive">`:                         "A",
		`<meta name="robots" content="index > , noarchive">`:                            "A",
		`<meta name="robots" content="noindex"`:                                         "",
		`<meta name="a` + strings.Repeat("x", 2*maxTag) + `" content="noindex">`:        "",
		`<meta name="it's"><meta name="robots" content="noindex">`:                      "I",
		`<meta = name = "robots" content = "noarchive,nofollow,noindex">`:               "AFI",
		`a < b <meta name="robots"><`:                                                   "",
		"<meta\n\tname=\"robots\"\n\tcontent=\"noindex\"\n>":                            "I",
		strings.Repeat("<", 100) + `<meta name="x-robots-tag" content="NOARCHIVE , x">`: "A",
	} {
		if got := metaRobots([]byte(page)).String(); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
	for directives, want := range map[string]string{"noindex": "I", "googlebot: noindex": "", " none ,, noarchive ": "AFI", "": "", ",": ""} {
		if got := robotsOf([]byte(directives)).String(); got != want {
			t.Errorf("%q: %q, want %q", directives, got, want)
		}
	}
	if got := (noArchive | noFollow | noIndex | loggedIn).String(); got != "AFIP" {
		t.Errorf("all flags: %q", got)
	}
}

// FuzzHead holds the scan to what the digest relies on: head and payload are the
// block's begin, however it is read.
func FuzzHead(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<meta name=robots content=noindex>"))
	f.Add([]byte("http/1.0 \nlocation:\n\n\tx\n\r\n"))
	f.Add([]byte("HTTP/1.1 200\r\nX-Robots-Tag:none\r\n\r"))
	f.Fuzz(func(t *testing.T, block []byte) {
		var at, by message
		if err := at.readHead(bytes.NewReader(block)); err != nil {
			t.Fatal(err)
		}
		if err := by.readHead(iotest.HalfReader(bytes.NewReader(block))); err != nil {
			t.Fatal(err)
		}
		if at.head != by.head || !bytes.Equal(at.status, by.status) || !bytes.Equal(at.contentType, by.contentType) || !bytes.Equal(at.location, by.location) {
			t.Fatalf("%q: read in parts it is another head", block)
		}
		if !bytes.HasPrefix(block, at.read) || at.head > len(at.read) {
			t.Fatalf("%q: head of %d bytes, %d read", block, at.head, len(at.read))
		}
		if len(at.status) != 0 && len(at.status) != 3 {
			t.Fatalf("%q: status %q", block, at.status)
		}
		metaRobots(at.payload())
		if media := mediaType(at.contentType); bytes.ContainsAny(media, "; \t\r\n") {
			t.Fatalf("%q: media type %q", block, media)
		}
	})
}
