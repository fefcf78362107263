package jobs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// realFiles returns the files below the folder of crawl files, relative to it, whose names
// have one of the suffixes, .gz and .open behind them left out.
func realFiles(t *testing.T, dir string, suffixes ...string) []string {
	t.Helper()
	paths := realdata.Below(t, dir, func(path string) bool {
		name := strings.TrimSuffix(strings.TrimSuffix(path, ".open"), ".gz")
		return slices.Contains(suffixes, filepath.Ext(name))
	})
	for i, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		paths[i] = name
	}
	return paths
}

// known is a sound record as our reader finds it.
type known struct {
	place
	Type        string
	Compression warc.Compression
	Inner       bool   // it stands behind another in its gzip member
	Head        int64  // length of its header
	Claimed     string // length of its block, as the header has it
	Date        string // as the header has it
	Dated       bool   // and that is a date
	Segment     bool   // it is one of several that make up a record
	LengthFault string // what is wrong with Claimed
}

// at names the place where a record's bytes lie.
func at(file string, offset int64) string { return fmt.Sprintf("%s %d", file, offset) }

func (k *known) at() string { return at(k.Source, k.SourceOffset) }

// line is what a list of captures says of it.
func (k *known) line() string {
	url := strings.NewReplacer("\t", "%09", "\n", "%0A").Replace(k.URL)
	return fmt.Sprintf("%s\t%s\t%d\t%d", url, k.Source, k.SourceOffset, k.Length)
}

// readOurs gives the sound records of files in a folder.
func readOurs(t *testing.T, dir string, files ...string) []known {
	t.Helper()
	var all []known
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		last := int64(-1)
		for r, err := range warc.NewReader(bytes.NewReader(data), int64(len(data)), warc.Options{Name: name}).Records() {
			if err != nil {
				continue
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil || r.Damaged() {
				continue
			}
			all = append(all, asKnown(r, name, r.Offset == last))
			last = r.Offset
		}
	}
	return all
}

// asKnown keeps what outlives a record.
func asKnown(r *warc.Record, name string, inner bool) known {
	k := known{
		place: place{Length: r.Length, Source: name, SourceOffset: r.Offset, URL: r.TargetURI()},
		Type:  r.Type, Compression: r.Compression, Inner: inner,
		Head: int64(len(r.Head)), Claimed: r.Header.Get("Content-Length"),
		Date: r.Header.Get("WARC-Date"), Dated: !r.Date().IsZero(), Segment: r.Header.Has("WARC-Segment-Number"),
	}
	if r.ARC != nil {
		k.Date = r.ARC.Date
	}
	for _, d := range r.Defects {
		if d.Kind == warc.BadLength {
			k.LengthFault = d.Detail
		}
	}
	return k
}

// listOf writes a list of the records, of those in one gzip member the first.
func listOf(t *testing.T, records []known) string {
	t.Helper()
	var text strings.Builder
	for _, k := range records {
		if !k.Inner {
			text.WriteString(k.line() + "\n")
		}
	}
	if text.Len() == 0 {
		t.Skip("the folder of crawl files holds no records that this test takes")
	}
	path := filepath.Join(t.TempDir(), "list.tsv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// noWARC says why an ARC record has no WARC form, if so.
func (k *known) noWARC() string {
	switch {
	case !k.Dated:
		return fmt.Sprintf("%s record has no warc form: date %q", k.Type, k.Date)
	}
	return ""
}

// noARC says why a response or resource has no ARC form, if so.
func (k *known) noARC() string {
	none := fmt.Sprintf("%s record has no arc form: ", k.Type)
	switch {
	case k.Segment:
		return none + "it is a segment"
	case k.URL == "":
		return none + "no WARC-Target-URI"
	case !k.Dated:
		return none + fmt.Sprintf("date %q", k.Date)
	}
	return ""
}
