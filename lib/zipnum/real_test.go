package zipnum

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	standard "compress/gzip"
)

// realIndexes gives the indexes below ARCHIVESTREAM_DATA with one of the endings.
func realIndexes(t *testing.T, endings ...string) []string {
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		t.Skip("ARCHIVESTREAM_DATA names no folder of real crawl files")
	}
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains(endings, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("%s holds no indexes", dir)
	}
	return files
}

// TestRealClusters reads clusters that others have written: all lines, those of
// each key, and what IndexShard makes of the shard. X.cdx.gz is X.idx's shard.
func TestRealClusters(t *testing.T) {
	for _, index := range realIndexes(t, ".idx") {
		packed, err := os.ReadFile(strings.TrimSuffix(index, ".idx") + ".cdx.gz")
		content, e := os.ReadFile(index)
		if e != nil {
			t.Fatal(e)
		}
		dir := t.TempDir()
		c := openCluster(t, writeFile(t, dir, "a.idx", string(content)))
		if errors.Is(err, fs.ErrNotExist) {
			if got, errs := collect(c, "", ""); len(errs) != bytes.Count(content, []byte("\n")) || got != nil {
				t.Errorf("%s: %d lines of shards that are not there, %v", index, len(got), errs)
			}
			continue
		}
		names := map[string]bool{"index.cdx.gz": true} // what WACZ files have in their first line
		for line := range bytes.Lines(content) {
			if e, err := ParseEntry(line); err == nil {
				names[string(e.Shard)] = true
			}
		}
		for name := range names {
			writeFile(t, dir, name, string(packed))
		}
		lines := textLines(t, packed)
		wantRange(t, c, lines, "", "")
		for _, line := range lines {
			key, _, _ := strings.Cut(line, " ")
			wantRange(t, c, lines, key, key+"!")
		}
		var again bytes.Buffer
		if n, err := IndexShard(&again, bytes.NewReader(packed), "a"); err != nil || n == 0 {
			t.Errorf("%s: %d blocks, %v", index, n, err)
		}
		writeFile(t, dir, "a", string(packed))
		wantRange(t, openCluster(t, writeFile(t, dir, "b.idx", again.String())), lines, "", "")
	}
}

// textLines gives the lines of a shard. The blocks of pywb's example lack the
// last line feed.
func textLines(t *testing.T, packed []byte) []string {
	t.Helper()
	r := bytes.NewReader(packed)
	z, err := standard.NewReader(r)
	var lines []string
	for err == nil {
		z.Multistream(false)
		text, e := io.ReadAll(z)
		if e != nil {
			t.Fatal(e)
		}
		lines = append(lines, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")...)
		err = z.Reset(r)
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return lines
}

// TestRealFiles searches sorted files for each of their keys.
func TestRealFiles(t *testing.T) {
	searched := 0
	for _, path := range realIndexes(t, ".cdx", ".cdxj") {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
		if !slices.IsSorted(lines) {
			continue
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return isHeader([]byte(l)) })
		c := openCluster(t, path)
		wantRange(t, c, lines, "", "")
		for _, line := range lines {
			key, _, _ := strings.Cut(line, " ")
			wantRange(t, c, lines, key, key+"!")
			searched++
		}
	}
	if searched < 100 {
		t.Errorf("only %d keys searched", searched)
	}
}
