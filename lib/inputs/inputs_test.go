package inputs

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// zip makes a gzip member of each text.
func zip(t *testing.T, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

const (
	warcHead = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
	cdx11    = "com,a)/ 20200101000000 http://a.com/ text/html 200 ABC - - 100 0 a.warc.gz\n"
	cdxj     = `com,a)/ 20200101000000 {"url": "http://a.com/", "offset": "0", "filename": "a.warc.gz"}` + "\n"
	arcHead  = "http://a.com/ 1.2.3.4 20200101000000 text/html 5\nhello\n"
)

// files are texts with their likeliest kind and all kinds that they fit.
var files = map[string]struct {
	text string
	kind Kind
	fits Kind
}{
	"warc":                    {warcHead, WARC, WARC},
	"blank lines":             {"\r\n\r\n" + warcHead, WARC, WARC},
	"arc":                     {"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 70\n1 0 X\n", ARC, ARC},
	"arc record":              {arcHead, ARC, ARC},
	"captures of an arc file": {"filedesc://a.arc\ta.arc\t0\t70\nhttp://a.com/\ta.arc\t70\t80\n", Captures, Captures | Edges | Text},
	"cdxj of an arc file":     {`filedesc://a.arc 20200101000000 {"url": "filedesc://a.arc", "offset": "0"}` + "\n" + cdxj, CDXJ, CDXJ},
	"cdx of an arc file":      {"filedesc://a.arc 20200101000000 filedesc://a.arc text/plain - AAAA - - 70 0 a.arc\n" + cdx11, CDX, CDX},
	"idx of an arc file":      {"filedesc://a.arc 20200101000000\tcdx-00000.gz\t0\t100\t1\n", Cluster, Cluster},
	"arc with a space":        {"http://a.com/b c 1.2.3.4 20200101000000 text/html 5\nhello\n", ARC, ARC},
	"cdx":                     {" CDX N b a m s k r M S V g\n" + cdx11, CDX, CDX},
	"cdx header alone":        {" CDX N b a m s k r M S V g\n", CDX, CDX | every},
	"cdx no header":           {cdx11, CDX, CDX},
	"cdxj":                    {cdxj, CDXJ, CDXJ},
	"cdxj header":             {"!context [\"https://tools.ietf.org/html/rfc7089\"]\n" + cdxj, CDXJ, CDXJ},
	"cdxj later":              {"nothing\n" + cdxj, CDXJ, CDXJ},
	"idx":                     {"com,a)/ 20200101000000\tcdx-00000.gz\t0\t100\t1\n", Cluster, Cluster},
	"wacz idx":                {`!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}` + "\ncom,a)/ 2020 {\"offset\": 0}\n", Cluster, Cluster},
	"loc":                     {"cdx-00000.gz\tcdx-00000.gz\n", Locations, Locations | Edges | Text},
	"captures":                {"http://a.com/\ta.warc.gz\t0\t100\n", Captures, Captures | Edges | Text},
	"documents":               {"{\"id\": 1, \"text\": \"x\"}\n", Documents, Documents},
	"a long document":         {"{\"text\": \"" + strings.Repeat("x", 2*SampleSize), Documents, Documents},
	"map":                     {"!context [\"https://git.io/mementomap\"]\ncom,a)/ 3/2\ncom,b)/* 10+/4\n", Map, Map},
	"log":                     {"http://a.com/ 200\n", Log, Log | Text},
	"common log":              {`1.2.3.4 - - [01/Jan/2020:00:00:00 +0000] "GET http://a.com/ HTTP/1.1" 200 17` + "\n", Log, Log | Text},
	"links":                   {"com.a\tcom.b\tlink\t3\ncom.a\t\t\t1\n", Links, Links | Edges},
	"edges":                   {"1\t2\n", Edges, Edges | Text},
	"text":                    {"http://a.com/\nhttp://b.com/\n", Text, Text},
	"nothing":                 {"", Empty, every},
	"white space":             {"\n \n", Empty, every},
	"zstd":                    {"\x28\xb5\x2f\xfd rest", Zstandard, Zstandard},
	"zstd dictionary":         {"\x5d\x2a\x4d\x18 rest", Zstandard, Zstandard},
	"bzip2":                   {"BZh91AY", Bzip2, Bzip2},
	"xz":                      {"\xfd7zXZ\x00\x00", XZ, XZ},
	"zip":                     {"PK\x03\x04\x14", Zip, Zip},
	"parquet":                 {"PAR1\x15\x04", Parquet, Parquet},
	"pdf":                     {"%PDF-1.4\n", PDF, PDF},
	"html":                    {"\n<!DOCTYPE html><title>404</title>", HTML, HTML},
	"xml":                     {"<?xml version=\"1.0\"?><a/>", HTML, HTML},
	"binary":                  {"abc\x00\x01def", Binary, Binary},
}

const every = 1<<32 - 1

func TestKinds(t *testing.T) {
	for name, f := range files {
		for _, text := range []string{f.text, zip(t, f.text), zip(t, "", f.text[:len(f.text)/2], f.text[len(f.text)/2:]), "\xef\xbb\xbf" + f.text} {
			if strings.HasPrefix(text, "\xef") && f.kind&sure != 0 && f.kind > Empty {
				continue // a byte order mark belongs to text
			}
			s := Of([]byte(text)[:min(len(text), SampleSize)], len(text) > SampleSize)
			if s.Kind() != f.kind {
				t.Errorf("%s: %.40q is %v, want %v", name, text, s, f.kind)
			}
			for _, n := range names {
				if want := f.fits&n.kind != 0; s.Fits(n.kind) != want {
					t.Errorf("%s: %.40q fits %v: %v, want %v", name, text, n.kind, !want, want)
				}
			}
		}
	}
}

// TestDamaged has gzip files whose first member ends early or is no deflate.
func TestDamaged(t *testing.T) {
	whole := zip(t, warcHead)
	if s := Of([]byte(whole[:len(whole)-12]), false); s.Kind() != WARC {
		t.Errorf("a truncated member: %v", s)
	}
	if s := Of([]byte(whole[:5]), false); s.Kind() != Damaged {
		t.Errorf("a truncated header: %v", s)
	}
	if s := Of([]byte(whole[:10]+strings.Repeat("\xff", 100)), true); s.Kind() != Damaged {
		t.Errorf("no deflate: %v", s)
	}
	empty := strings.Repeat(zip(t, ""), SampleSize/len(zip(t, ""))+1)
	if s := Of([]byte(empty[:SampleSize]), true); s.Kind() != Empty {
		t.Errorf("empty members: %v", s)
	}
}

func TestRead(t *testing.T) {
	text := strings.Repeat(cdxj, SampleSize/len(cdxj)+10)
	s, err := Read(strings.NewReader(text), int64(len(text)))
	if err != nil || s.Kind() != CDXJ || s.String() != "CDXJ" {
		t.Errorf("%v, %v", s, err)
	}
	zipped := zip(t, text)
	if s, err = Read(strings.NewReader(zipped), int64(len(zipped))); err != nil || s.String() != "CDXJ (gzip)" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err = Read(strings.NewReader("short"), 10); err == nil {
		t.Error("a file that is shorter than its size is no error")
	}
	if got := (ARC | WARC | CDX).String(); got != "ARC, WARC or CDX" {
		t.Errorf("a set is %q", got)
	}
}
