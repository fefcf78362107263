package truth

import (
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// TestTruthDerive holds each field of WAT, and headers, texts and fields of WET and META,
// of all records of all archives against Python's reading of the records and against
// Lexbor's of the pages.
func TestTruthDerive(t *testing.T) {
	folder := theArchives(t)
	output := run(t, "derive.sh", "--input", folder, "--make", "wat,wet,meta,cdxj")
	lines := asked(t, "", "derived.py", folder, output)
	if len(lines) < 1000 && !strings.Contains(strings.Join(lines, ""), "derive/wet text") {
		t.Fatalf("%d comparisons", len(lines))
	}
	comparisons(t, lines)
	// merge.sh takes the layout of these lines where none is named.
	var texts []string
	args := []string{"--shards", "2"}
	for _, part := range []string{"[^a]*", "a*"} {
		files, err := filepath.Glob(filepath.Join(output, "cdx", part+".cdxj.gz"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", part, len(files), err)
		}
		for _, file := range files {
			texts = append(texts, unzipped(t, file))
		}
		args = append(args, "--input", filepath.Join(output, "cdx", part+".cdxj.gz"))
	}
	compare(t, "merge/cdxj-meta", "- -", cluster(t, filepath.Join(run(t, "merge.sh", args...), "zipnum")), merged(texts...))
}

// unzipped returns the content of a gzip file.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	in, err := gzip.NewReader(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(in)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(content)
}
