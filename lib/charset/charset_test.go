package charset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

func encoded(t testing.TB, name, text string) []byte {
	t.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const german = "Größe, Übermaß und Käse „täglich“ 10 €"

func TestFind(t *testing.T) {
	latin := string(encoded(t, "windows-1252", german))
	for _, test := range []struct {
		contentType, text string
		name              string
		source            Source
		want              string
	}{
		{"", german, "utf-8", Valid, german},
		{"text/html", "plain", "utf-8", Valid, "plain"},
		{"text/html; charset=ISO-8859-1", latin, "windows-1252", Header, german},
		{`text/html;charset="latin1"`, latin, "windows-1252", Header, german},
		{"text/html; charset = 'us-ascii' ; x=y", latin, "windows-1252", Header, german},
		{"text/html; charset=utf8", german, "utf-8", Header, german},
		{"text/html; charset=utf-8", "a\xe2\x82b\xffc\xf0\x9f\x98", "utf-8", Header, "a\ufffdb\ufffdc\ufffd"},
		{"text/html; charset=nonsense", "<meta charset=windows-1252>" + latin, "windows-1252", Meta, "<meta charset=windows-1252>" + german},
		{"text/html; charset=ISO-8859-1", "\xef\xbb\xbf" + german, "utf-8", BOM, german},
		{"", "\xff\xfea\x00\xe4\x00", "utf-16le", BOM, "aä"},
		{"", "\xfe\xff\x00a\x00\xe4", "utf-16be", BOM, "aä"},
		{"", "\xff\xfe\x00\x00a\x00\x00\x00", "utf-32le", BOM, "a"},
		{"", `<!-- <meta charset=utf-8> --><META content="text/html; charset=koi8-r" http-equiv='Content-Type'>` + "\xd4", "koi8-r", Meta, `<!-- <meta charset=utf-8> --><META content="text/html; charset=koi8-r" http-equiv='Content-Type'>т`},
		{"", `<meta content="charset=koi8-r">` + german, "utf-8", Valid, `<meta content="charset=koi8-r">` + german},
		{"", `<meta charset="utf-16">` + german, "utf-8", Meta, `<meta charset="utf-16">` + german},
		{"", `<?xml version="1.0" encoding="windows-1251"?>` + "\xc0", "windows-1251", Meta, `<?xml version="1.0" encoding="windows-1251"?>А`},
		{"text/html; charset=shift_jis", string(encoded(t, "shift_jis", "日本語テキスト")), "shift_jis", Header, "日本語テキスト"},
		{"text/html; charset=gb2312", string(encoded(t, "gbk", "中文網頁")), "gbk", Header, "中文網頁"},
		{"", string(encoded(t, "euc-jp", strings.Repeat("日本語のテキストです。", 20))), "euc-jp", Detected, strings.Repeat("日本語のテキストです。", 20)},
		{"", string(encoded(t, "iso-2022-jp", strings.Repeat("日本語のテキストです。", 5))), "iso-2022-jp", Detected, strings.Repeat("日本語のテキストです。", 5)},
		{"text/html; charset=iso-8859-1", "\x80\x81\x8d\x9d\xe4", "windows-1252", Header, "\u20ac\u0081\u008d\u009dä"},
		{"text/html; charset=windows-1253", "\x81\xaa", "windows-1253", Header, "\u0081\ufffd"},
		{"", "", "utf-8", Valid, ""},
		{"", german + "\xe2\x82", "utf-8", Valid, german + "\ufffd"},
	} {
		var f Finder
		var d Decoder
		c := f.Find([]byte(test.contentType), []byte(test.text))
		if c.Name != test.name || c.Source != test.source {
			t.Errorf("%s, %.60q: %s by %s, want %s by %s", test.contentType, test.text, c.Name, c.Source, test.name, test.source)
			continue
		}
		if got := string(d.Decode(&c, []byte(test.text))); got != test.want {
			t.Errorf("%s, %.60q: got %q, want %q", test.contentType, test.text, got, test.want)
		}
		if n := c.Length([]byte(test.text)); n != utf8.RuneCountInString(test.want) {
			t.Errorf("%.60q: %d characters, want %d", test.text, n, utf8.RuneCountInString(test.want))
		}
	}
}

func TestDecodeCopiesNothingWithoutNeed(t *testing.T) {
	var f Finder
	for _, contentType := range []string{"", "text/html; charset=utf-8", "text/html; charset=iso-8859-1"} {
		text := []byte(strings.Repeat("plain text ", 1000))
		c := f.Find([]byte(contentType), text)
		var d Decoder
		if n := testing.AllocsPerRun(10, func() {
			c = f.Find([]byte(contentType), text)
			if got := d.Decode(&c, text); &got[0] != &text[0] {
				t.Fatal("copied")
			}
			c.Length(text)
		}); n > 0 {
			t.Errorf("%s: %g allocations", contentType, n)
		}
	}
}

// TestFilesOfChardet holds the detection against the test files of Python's
// chardet 4.0.0, in the folder tests of its source: as in its own test an answer is
// right that has the folder's name or gives the same text.
func TestFilesOfChardet(t *testing.T) {
	folder := os.Getenv("ARCHIVESTREAM_CHARDET")
	if folder == "" {
		t.Skip("ARCHIVESTREAM_CHARDET does not name the folder tests of chardet's source")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.*"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var f Finder
	var d, other Decoder
	for _, way := range []struct {
		name  string
		find  func(text []byte) Charset
		least float64
	}{
		{"declarations and detection", func(text []byte) Charset { return f.Find(nil, text) }, 0.95},
		{"detection alone", f.Detect, 0.86},
	} {
		right := 0
		var wrong []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.ToLower(filepath.Base(filepath.Dir(file)))
			for _, language := range []string{"-arabic", "-bulgarian", "-cyrillic", "-greek", "-hebrew", "-hungarian", "-turkish"} {
				name = strings.TrimSuffix(name, language)
			}
			c := way.find(text)
			want, known := f.Label([]byte(name))
			if c.Name == name || known && (c.Name == want.Name || string(d.Decode(&c, text)) == string(other.Decode(&want, text))) {
				right++
				continue
			}
			wrong = append(wrong, fmt.Sprintf("%s: %s by %s", file[len(folder):], c.Name, c.Source))
		}
		t.Logf("%s: %d of %d right", way.name, right, len(files))
		if share := float64(right) / float64(len(files)); share < way.least {
			t.Errorf("%s: %.1f %% right; wrong:\n%s", way.name, 100*share, strings.Join(wrong, "\n"))
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("text/html; charset=utf-8", []byte(german))
	f.Add("text/html; charset=shift_jis", []byte("\x93\xfa\x96"))
	f.Add("", []byte("<meta http-equiv=content-type content='text/html; charset=big5'>\xa4\xa4"))
	f.Add("", []byte("\x1b$BF|K\\\x1b(B"))
	f.Fuzz(func(t *testing.T, contentType string, text []byte) {
		var finder Finder
		c := finder.Find([]byte(contentType), text)
		got := new(Decoder).Decode(&c, text)
		if !utf8.Valid(got) {
			t.Fatalf("%s: %q is not UTF-8", c.Name, got)
		}
		if n := c.Length(text); n != utf8.RuneCount(got) {
			t.Fatalf("%s: %d characters, %d in %q", c.Name, n, utf8.RuneCount(got), got)
		}
	})
}
