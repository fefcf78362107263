package truth

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTruthIndexTypes holds captures of all types of records, those of the crawler's own
// among them, against the bytes at their places and a scan of the files; the table of them
// is compressed by gzip and has a Bloom filter.
func TestTruthIndexTypes(t *testing.T) {
	folder := theArchives(t)
	const types = "request,response,revisit,resource,metadata,conversion,continuation"
	output := run(t, "index.sh", "--input", folder, "--format", "cdxj-all", "--records", types, "--crawl-metadata", "--full-paths",
		"--parquet", "--codec", "gzip", "--bloom-filter", "--crawl", "C-1", "--subset", "s_2", "--shards", "2")
	text := read(t, output, "index.cdxj")
	var others []capture // of types that other tests do not have
	offsets := map[string][]int{}
	usual := map[string]bool{}
	for _, c := range captures(t, read(t, indexed(t))) {
		usual[c.place()] = true
	}
	for _, c := range captures(t, text) {
		folderOf, name := filepath.Split(c["filename"])
		compare(t, "index/--full-paths", name+" "+c["offset"], folderOf, folder+"/")
		c["filename"] = name
		offsets[name] = append(offsets[name], number(t, c["offset"]))
		if !usual[c.place()] {
			others = append(others, c)
		}
	}
	held := members(t, folder, others, "index/of all types ")
	if held == 0 {
		t.Error("no captures of other types")
	}
	scanned(t, "index/--records", types, "too", offsets)
	tables, err := filepath.Glob(filepath.Join(output, "table", "crawl=C-1", "subset=s_2", "part-*.gzip.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "index/table --shards", "- -", fmt.Sprint(len(tables)), "2")
	comparisons(t, asked(t, "", "bloom.py", append([]string{"GZIP"}, tables...)...))
	for _, line := range asked(t, text, "table.py", tables...) {
		f := strings.SplitN(line, "\t", 4)
		compare(t, "index/table gzip "+f[1], filepath.Base(f[0]), f[2], f[3])
	}
}

// TestTruthIndexVerify holds what --verify-digests reports against Python's hashlib, and
// names of archive files relative to a folder against those in it.
func TestTruthIndexVerify(t *testing.T) {
	folder := theArchives(t)
	all := read(t, indexed(t))
	output := run(t, "index.sh", "--input", folder, "--format", "cdxj-all", "--verify-digests", "--relative-to", filepath.Dir(folder))
	comparisons(t, asked(t, all, "reported.py", folder, output))
	ours := slices.Sorted(strings.Lines(strings.ReplaceAll(read(t, output, "index.cdxj"), `"filename": "archives/`, `"filename": "`)))
	compare(t, "index/--relative-to", "- -", strings.Join(ours, ""), merged(all))
}
