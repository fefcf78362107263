package index

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// An openArchive reads heads of records by their offsets.
type openArchive struct {
	data   []byte
	random *warc.RandomReader
}

func (a *openArchive) head(offset int64) (extract.Head, error) {
	r, err := a.random.Head(bytes.NewReader(a.data), int64(len(a.data)), offset)
	if err != nil {
		return extract.Head{}, err
	}
	return extract.HeadOf(r), nil
}

func openAt(t *testing.T, path string) *openArchive {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return &openArchive{data, warc.NewRandomReader()}
}

// TestRealLinesAgree holds each line of our indexes of the real archives, in three
// layouts, and of those that other tools make of them, against the record at its place:
// all agree. Each line at the place of another one does not, but where that is of the
// same URL and second.
func TestRealLinesAgree(t *testing.T) {
	files := realdata.Archives(t)
	of := map[string]func(path string) []string{}
	for name, layout := range map[string]cdx.Layout{"cdxj": cdx.LayoutAll, "cdx11": cdx.LayoutCDX11, "cdx9": cdx.LayoutCDX9} {
		of[name] = func(path string) []string { return linesOf(t, path, layout) }
	}
	if os.Getenv("ARCHIVESTREAM_PYTHON") != "" {
		for _, tool := range []string{"cdxj", "cdxj-post", "pywb"} {
			lines, _ := theirIndexes(t, tool, files)
			of["their "+tool] = func(path string) []string { return lines[path] }
		}
	}
	for name, lines := range of {
		held, refused, passed := 0, 0, 0
		for _, path := range files {
			a := openAt(t, path)
			var parser cdx.Parser
			var captures []*cdx.Capture
			for _, line := range lines(path) {
				c := new(cdx.Capture)
				if parser.Parse([]byte(line), c) == nil {
					captures = append(captures, c)
				}
			}
			for i, c := range captures {
				if head, err := a.head(c.Offset); err != nil {
					t.Logf("%s: %s at %d: %v", name, path, c.Offset, err)
				} else if err := extract.Agree(c, head); err != nil && takenApartWrongly(c, head) {
					t.Logf("%s: %s at %d: the tool is wrong: %v", name, path, c.Offset, err)
				} else if err != nil {
					t.Errorf("%s: %s at %d: %v", name, path, c.Offset, err)
				} else {
					held++
				}
				other := captures[(i+1)%len(captures)]
				head, err := a.head(other.Offset)
				if err != nil || other.Offset == c.Offset || string(c.URL) == string(other.URL) && string(c.Timestamp) == string(other.Timestamp) {
					continue
				}
				if extract.Agree(c, head) != nil {
					refused++
				} else if passed++; passed < 10 {
					t.Logf("%s: %s: %s %s passes for %s %s", name, path, c.Timestamp, c.URL, other.Timestamp, other.URL)
				}
			}
		}
		t.Logf("%s: %d lines agree with their records, %d of %d with others", name, held, passed, passed+refused)
		realdata.Enough(t, held >= 1000 && refused >= 1000, "%s: %d lines agree with their records, %d do not with others", name, held, refused)
		if passed > 0 {
			t.Errorf("%s: %d lines agree with their records, %d of %d with others", name, held, passed, passed+refused)
		}
	}
}

// takenApartWrongly reports whether a tool has taken an odd ARC record line apart at
// the wrong places: the address is part of its URL, or of its date.
func takenApartWrongly(c *cdx.Capture, head extract.Head) bool {
	rest, ok := bytes.CutPrefix(c.URL, head.URL)
	address := bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("%20")), []byte(" "))
	return ok && len(address) > 0 && net.ParseIP(string(address)) != nil || bytes.HasPrefix(c.Timestamp, []byte("2999"))
}

// linesOf indexes an archive.
func linesOf(t *testing.T, path string, layout cdx.Layout) []string {
	t.Helper()
	a := openAt(t, path)
	var lines []string
	x := New(Options{}, Sink{
		Capture: func(c *cdx.Capture) error { lines = append(lines, string(layout.Append(nil, c))); return nil },
		Fault:   func(int64, string) error { return nil },
		Count:   func(string, int64) {},
	})
	if err := x.Archive(bytes.NewReader(a.data), int64(len(a.data)), path, filepath.Base(path)); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return lines
}

// TestRealIndexesAgree holds the lines of the index files that lie beside real archives
// against those: archives of the name that a line has, or for a whole index the one
// that ends where its last record does.
func TestRealIndexesAgree(t *testing.T) {
	byName, bySize := map[string][]string{}, map[int64][]string{}
	for _, path := range realdata.Archives(t) {
		byName[filepath.Base(path)] = append(byName[filepath.Base(path)], path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		bySize[info.Size()] = append(bySize[info.Size()], path)
	}
	held := 0
	for _, index := range realIndexes(t) {
		var captures []*cdx.Capture
		var parser cdx.Parser
		end := int64(0)
		for _, line := range textLines(t, index) {
			c := new(cdx.Capture)
			if parser.Parse([]byte(line), c) == nil {
				captures = append(captures, c)
				end = max(end, c.Offset+c.Length)
			}
		}
		for _, c := range captures {
			named := byName[string(c.Filename)]
			if len(named) == 0 {
				named = bySize[end]
			}
			var last error
			agree, records := false, 0
			for _, path := range named {
				head, err := openAt(t, path).head(c.Offset)
				if err != nil {
					continue // a file of that name of somebody else
				}
				records++
				last = extract.Agree(c, head)
				agree = agree || last == nil
			}
			switch {
			case agree:
				held++
			case records > 0:
				realdata.Differ(t, "index/agree", filepath.Base(index)+" -", last.Error(), string(c.Timestamp)+" "+string(c.URL))
			}
		}
	}
	t.Logf("%d lines agree", held)
	realdata.Enough(t, held > 0, "no line leads to an archive")
}

func realIndexes(t *testing.T) []string {
	t.Helper()
	var indexes []string
	err := filepath.WalkDir(os.Getenv("ARCHIVESTREAM_DATA"), func(path string, d fs.DirEntry, err error) error {
		for _, suffix := range []string{".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"} {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
				indexes = append(indexes, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return indexes
}

func textLines(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines
}
