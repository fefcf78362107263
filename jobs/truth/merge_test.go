package truth

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cluster returns the lines of a ZipNum cluster, as its index leads to them.
func cluster(t *testing.T, folder string) string {
	t.Helper()
	return strings.Join(asked(t, "", "cluster.py", folder), "\n") + "\n"
}

// merged returns lines in the order of bytes, equal ones once.
func merged(texts ...string) string {
	return strings.Join(slices.Compact(slices.Sorted(strings.Lines(strings.Join(texts, "")))), "")
}

// TestTruthMerge holds merged indexes against sorted lines: those of two halves of the
// archives, one of them twice, from a cluster, a folder and a file of text.
func TestTruthMerge(t *testing.T) {
	folder := theArchives(t)
	halves := []string{t.TempDir(), t.TempDir()}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if strings.HasPrefix(f.Name(), "maintext--") {
			continue // more than half of all bytes, and pages only
		}
		if err := os.Symlink(filepath.Join(folder, f.Name()), filepath.Join(halves[i%2], f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"cdxj", "cdxj-cc", "cdxj-all", "cdx11", "cdx9"} {
		var texts, inputs []string
		for i, half := range halves {
			output := run(t, "index.sh", "--input", half, "--format", format, "--zipnum", "--shards", fmt.Sprint(i+1))
			name := "index.cdxj"
			if !strings.HasPrefix(format, "cdxj") {
				name = "index.cdx"
			}
			text := read(t, output, name)
			if strings.HasPrefix(text, " CDX") {
				_, text, _ = strings.Cut(text, "\n")
			}
			texts = append(texts, text)
			compare(t, "index/"+format+" cluster", fmt.Sprint("- ", i), cluster(t, filepath.Join(output, "zipnum")), merged(text))
			inputs = append(inputs, filepath.Join(output, []string{"zipnum", name}[i]))
		}
		output := run(t, "merge.sh", "--input", inputs[0], "--input", inputs[1], "--input", written(t, "again.txt", texts[1]), "--format", format, "--shards", "3")
		ours := cluster(t, filepath.Join(output, "zipnum"))
		compare(t, "merge/"+format, "- -", ours, merged(texts[0], texts[1], texts[1]))
	}
}

// TestTruthIndexUpdate holds an index that is carried on against one of all archives, and
// other layouts against the members of the one that has all.
func TestTruthIndexUpdate(t *testing.T) {
	folder := theArchives(t)
	all := read(t, indexed(t))
	older, newer := t.TempDir(), t.TempDir()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var removed []string
	gone := map[string]bool{}
	for i, f := range files {
		to := []string{older}
		switch i % 4 {
		case 1:
			to = []string{newer}
		case 2:
			to = []string{older, newer}
		case 3:
			removed = append(removed, f.Name()+"\n")
			gone[f.Name()] = true
		}
		for _, half := range to {
			if err := os.Symlink(filepath.Join(folder, f.Name()), filepath.Join(half, f.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := run(t, "index.sh", "--input", older, "--format", "cdxj-all")
	after := run(t, "index.sh", "--input", newer, "--format", "cdxj-all", "--update", before, "--remove", written(t, "gone.txt", strings.Join(removed, "")), "--shards", "2")
	var kept []string
	layouts := map[string][]string{}
	members := map[string][]string{
		"cdxj":    {"url", "mime", "status", "digest", "length", "offset", "filename", "requestBody", "method"},
		"cdxj-cc": {"url", "mime", "mime-detected", "status", "digest", "length", "offset", "filename", "charset", "languages", "truncated", "redirect"},
	}
	for line := range strings.Lines(all) {
		c := captures(t, line)[0]
		if !gone[c["filename"]] {
			kept = append(kept, line)
		}
		for layout, names := range members {
			layouts[layout] = append(layouts[layout], only(t, layout, c, names))
		}
	}
	compare(t, "index/--update", "- -", read(t, after, "index.cdxj"), merged(kept...))
	for layout, want := range layouts {
		var ours []string
		for line := range strings.Lines(read(t, run(t, "index.sh", "--input", folder, "--format", layout), "index.cdxj")) {
			ours = append(ours, only(t, layout, captures(t, line)[0], nil))
		}
		slices.Sort(ours)
		slices.Sort(want)
		compare(t, "index/"+layout, "- -", strings.Join(ours, "\n"), strings.Join(want, "\n"))
	}
}

// only returns the members of a capture that a layout has; without names all of them.
func only(t *testing.T, layout string, c capture, names []string) string {
	t.Helper()
	key := c["key"] + " " + c["timestamp"] + " "
	found := map[string]string{}
	for name, value := range c {
		if name != "key" && name != "timestamp" && (names == nil || slices.Contains(names, name)) {
			found[name] = value
		}
	}
	if d, ok := found["digest"]; ok && layout == "cdxj-cc" {
		found["digest"] = strings.TrimPrefix(d, "sha1:")
	}
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return key + string(text)
}
