package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/payload"
	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// An entry is a line of an index.
type entry struct {
	raw       string
	key, date string
	members   map[string]string
}

func (e *entry) offset() int64 {
	n, _ := strconv.ParseInt(e.members["offset"], 10, 64)
	return n
}

// parsedEntry takes a CDXJ line apart.
func parsedEntry(t *testing.T, line string) *entry {
	t.Helper()
	f := strings.SplitN(line, " ", 3)
	e := &entry{raw: line, key: f[0]}
	if len(f) < 3 || json.Unmarshal([]byte(f[2]), &e.members) != nil {
		t.Fatalf("no CDXJ line: %s", line)
	}
	e.date = f[1]
	return e
}

// A difference is one between our index and another tool's: of a field of a
// capture that both have, or of a capture that one of them has.
type difference struct {
	tool  string // cdxj (cdxj-indexer), cdxj-post (--post-append) or pywb (cdx-indexer)
	file  string // relative to the folder of archives
	field string // key, date, or a member; "line" for a capture

	ours, theirs *entry // nil where there is no such capture
	fault        string // what we say of the record at that offset; may be empty
	stopped      string // why the tool stopped within the file; empty if it did not

	kind     string // of the record, as WARC-Type has it
	headless bool   // it is a response that does not begin with a status line
}

func (d *difference) isCdxj() bool { return strings.HasPrefix(d.tool, "cdxj") }

// look reads the record at its place.
func (d *difference) look(a *openArchive) {
	e := d.ours
	if e == nil {
		e = d.theirs
	}
	r, err := a.random.ReadAt(bytes.NewReader(a.data), int64(len(a.data)), e.offset())
	if err != nil {
		return
	}
	d.kind = r.Type
	begin := make([]byte, 5)
	io.ReadFull(r.Body, begin)
	d.headless = r.Type == warc.Response && !payload.IsHTTP(begin)
}

// place names the record.
func (d *difference) place() string {
	e := d.ours
	if e == nil {
		e = d.theirs
	}
	return fmt.Sprintf("%s %d", d.file, e.offset())
}

// text is the field's value in an entry, or all of the entry's line.
func (d *difference) text(e *entry) string {
	if e != nil && d.field == "line" {
		return e.raw
	}
	return d.of(e)
}

// of gives the field's value in an entry; nothing where there is none.
func (d *difference) of(e *entry) string {
	if e == nil {
		return ""
	}
	switch d.field {
	case "key":
		return e.key
	case "date":
		return e.date
	}
	return e.members[d.field]
}

// pythonIndexers gives a python that has cdxj-indexer and pywb.
func pythonIndexers(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has cdxj-indexer and pywb")
	}
	return python
}

// theirIndexes gives each file's lines by a tool, and where it stopped the reason.
func theirIndexes(t *testing.T, tool string, files []string) (lines map[string][]string, stopped map[string]string) {
	t.Helper()
	cmd := exec.Command(pythonIndexers(t), append([]string{"-W", "ignore", filepath.Join("testdata", "indexers.py"), tool}, files...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("testdata/indexers.py: %v", err)
	}
	lines, stopped = map[string][]string{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		file, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if reason, ok := strings.CutPrefix(text, "!"); ok {
			stopped[file] = reason
		} else {
			lines[file] = append(lines[file], text)
		}
	}
	return lines, stopped
}

// An own is what we make of an archive file.
type own struct {
	lines  []string
	faults map[int64]string // by offset
}

// ownIndex indexes a file into lines with the members that a tool writes.
func ownIndex(t *testing.T, o Options, tool, path string) own {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := own{faults: map[int64]string{}}
	x := New(o, Sink{
		Capture: func(c *cdx.Capture) error {
			layout := cdx.LayoutCDXJ
			if tool == "pywb" {
				layout = cdx.LayoutCC
				c.Truncated, c.Redirect = nil, nil
			}
			found.lines = append(found.lines, string(layout.Append(nil, c)))
			return nil
		},
		Fault: func(offset int64, reason string) error { found.faults[offset] += reason + "; "; return nil },
		Count: func(string, int64) {},
	})
	if err := x.Archive(bytes.NewReader(data), int64(len(data)), path, filepath.Base(path)); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return found
}

// compare gives the differences of an index, and how many lines are the same byte
// for byte.
func compare(t *testing.T, tool, file string, ours own, lines []string, stopped string) (found []*difference, same int) {
	t.Helper()
	theirs := map[int64]*entry{}
	for _, line := range lines {
		e := parsedEntry(t, line)
		theirs[e.offset()] = e
	}
	for _, line := range ours.lines {
		e := parsedEntry(t, line)
		base := difference{tool: tool, file: file, ours: e, theirs: theirs[e.offset()], fault: ours.faults[e.offset()], stopped: stopped}
		delete(theirs, e.offset())
		switch {
		case base.theirs == nil:
			base.field = "line"
			found = append(found, &base)
			continue
		case line == base.theirs.raw:
			same++
			continue
		}
		before := len(found)
		for _, field := range []string{"key", "date", "url", "mime", "mime-detected", "status", "digest", "length", "filename", "method", "requestBody"} {
			d := base
			if d.field = field; d.of(d.ours) != d.of(d.theirs) {
				found = append(found, &d)
			}
		}
		if len(found) == before {
			t.Errorf("%s, %s: the same content in other bytes:\nours   %s\ntheirs %s", tool, file, line, base.theirs.raw)
		}
	}
	for offset, e := range theirs {
		found = append(found, &difference{tool: tool, file: file, field: "line", theirs: e, fault: ours.faults[offset], stopped: stopped})
	}
	return found, same
}

// TestRealAgreement holds our index against those of cdxj-indexer and pywb, on
// every real file and line by line. Every difference must be of a kind that
// differences_test.go lists, or a known one.
func TestRealAgreement(t *testing.T) {
	for _, tool := range []string{"cdxj", "cdxj-post", "pywb"} {
		t.Run(tool, func(t *testing.T) {
			files := realdata.Archives(t)
			lines, stopped := theirIndexes(t, tool, files)
			used := make([]int, len(known))
			total, all := 0, 0
			for _, path := range files {
				ours := ownIndex(t, Options{PostAppend: tool == "cdxj-post"}, tool, path)
				found, same := compare(t, tool, filepath.Base(path), ours, lines[path], stopped[path])
				total, all = total+same, all+len(ours.lines)
				a := openAt(t, path)
				for _, d := range found {
					d.look(a)
					i := slices.IndexFunc(known, func(k explanation) bool { return k.covers(d) })
					if i < 0 {
						realdata.Differ(t, "index/"+tool+"/"+d.field, d.place(), d.text(d.ours), d.text(d.theirs))
						continue
					}
					used[i]++
				}
			}
			t.Logf("%d of %d lines are the same, byte for byte", total, all)
			for i, k := range known {
				if used[i] > 0 {
					t.Logf("%4d %s is right: %s", used[i], k.right, k.what)
				}
			}
			realdata.Enough(t, total > 0, "no line is the same")
		})
	}
}
