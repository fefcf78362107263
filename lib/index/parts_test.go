package index

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
	"archivestream/lib/realdata"
)

// indexInParts indexes a file with two goroutines.
func indexInParts(t testing.TB, o Options, layout cdx.Layout, file []byte, size int64) (lines, faults []string) {
	t.Helper()
	m := MapperOptions{Options: o, Layout: layout}
	a := archive{bytes.NewReader(file), int64(len(file)), "f", "f", size}
	err := a.inParts([]*partReader{newPartReader(m), newPartReader(m)}, func(f *found) error {
		for line := range strings.Lines(string(f.lines)) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
		for _, d := range f.faults {
			faults = append(faults, fmt.Sprintf("%d: %s", d.offset, d.reason))
		}
		return f.err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, faults
}

// sorted gives faults by their text: that of a member with several records is told
// behind what follows it, or at the end of its part.
func sorted(faults []string) []string {
	slices.Sort(faults)
	return faults
}

// madeArchive has members of all sizes, an archive file that is itself a record,
// stored and so to be seen in the bytes, and several records in one member.
func madeArchive() string {
	random := rand.New(rand.NewPCG(1, 1))
	var inner, b strings.Builder
	for i := range 20 {
		inner.WriteString(member(response(fmt.Sprintf("http://inner.org/%d", i), page)))
	}
	for i := range 60 {
		noise := make([]byte, random.IntN(3000))
		for j := range noise {
			noise[j] = byte(random.Uint32())
		}
		b.WriteString(member(response(fmt.Sprintf("http://a.org/%d", i), page+string(noise))))
		switch i % 20 {
		case 7:
			b.WriteString(member(record(inner.String(), "WARC-Type: resource", fmt.Sprintf("WARC-Target-URI: http://a.org/%d.warc.gz", i),
				"WARC-Date: 2020-01-02T03:04:05Z", "Content-Type: application/gzip")))
		case 13:
			b.WriteString(member(response("http://b.org/1", page), response("http://b.org/2", page)))
		}
	}
	return b.String()
}

// TestPartsAreTheWhole compares with what one goroutine finds.
func TestPartsAreTheWhole(t *testing.T) {
	file := []byte(madeArchive())
	damaged := bytes.Clone(file)
	for i := len(damaged) / 3; i < len(damaged)/3+3000; i++ {
		damaged[i] = 0
	}
	for name, data := range map[string][]byte{
		"sound": file, "damaged": damaged, "cut off": file[:len(file)*2/3], "plain": []byte(response("http://a.org/", page)), "empty": nil,
	} {
		lines, faults := indexOf(t, Options{}, cdx.LayoutAll, string(data))
		for _, size := range []int64{1, 100, 1000, 5000, 40_000, 1 << 30} {
			gotLines, gotFaults := indexInParts(t, Options{}, cdx.LayoutAll, data, size)
			if diff := cmp.Diff(lines, gotLines); diff != "" {
				t.Errorf("%s, parts of %d bytes: lines: -want +got\n%s", name, size, diff)
			}
			if diff := cmp.Diff(sorted(faults), sorted(gotFaults)); diff != "" {
				t.Errorf("%s, parts of %d bytes: faults: -want +got\n%s", name, size, diff)
			}
		}
	}
	if lines, _ := indexOf(t, Options{}, cdx.LayoutAll, string(file)); len(lines) != 66 {
		t.Errorf("%d lines", len(lines))
	}
}

// TestRealParts does so with real archive files.
func TestRealParts(t *testing.T) {
	for _, name := range realdata.Archives(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines, faults := indexOf(t, Options{}, cdx.LayoutCDXJ, string(data))
		gotLines, gotFaults := indexInParts(t, Options{}, cdx.LayoutCDXJ, data, 10_000)
		if diff := cmp.Diff(lines, gotLines); diff != "" {
			t.Errorf("%s: lines: -want +got\n%s", name, diff)
		}
		if diff := cmp.Diff(sorted(faults), sorted(gotFaults)); diff != "" {
			t.Errorf("%s: faults: -want +got\n%s", name, diff)
		}
	}
}

// TestPartsEndWithAnError ends all goroutines when what is found cannot be given
// out.
func TestPartsEndWithAnError(t *testing.T) {
	file := []byte(madeArchive())
	full := errors.New("full")
	m := MapperOptions{Layout: cdx.LayoutCDXJ}
	for n := range 5 {
		a := archive{bytes.NewReader(file), int64(len(file)), "f", "f", 1000}
		given := 0
		err := a.inParts([]*partReader{newPartReader(m), newPartReader(m)}, func(*found) error {
			if given++; given > n {
				return full
			}
			return nil
		})
		if err != full || given != n+1 {
			t.Errorf("%d parts given, %v", given, err)
		}
	}
}
