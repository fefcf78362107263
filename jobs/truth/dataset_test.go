package truth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTruthDataset publishes the smaller archives in two partitions, and holds checksums,
// lists, sizes, segments, and what index, cluster and table have of META against the files.
func TestTruthDataset(t *testing.T) {
	const small = 400_000 // bytes
	folder := theArchives(t)
	parts := map[string]string{"IA": t.TempDir(), "LOC-2": t.TempDir()}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]bool{}
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		info, err := os.Stat(path)
		if err == nil && info.Size() < small {
			part := "IA"
			if f.Name() >= "n" {
				part = "LOC-2"
			}
			if path, err = filepath.EvalSymlinks(path); err == nil {
				err = os.Symlink(path, filepath.Join(parts[part], f.Name()))
			}
			taken[f.Name()] = true
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var lines strings.Builder
	for line := range strings.Lines(read(t, indexed(t))) {
		if taken[captures(t, line)[0]["filename"]] {
			lines.WriteString(line)
		}
	}
	var partitions []string
	args := []string{"--crawl", "T-1", "--segment-size", "50", "--shards", "3"}
	for _, name := range []string{"IA", "LOC-2"} {
		partitions = append(partitions, name+"="+parts[name])
		args = append(args, "--partition", name+"="+parts[name])
	}
	output := run(t, "dataset.sh", args...)
	comparisons(t, asked(t, lines.String(), "published.py", append([]string{output, "T-1", "50"}, partitions...)...))
}
