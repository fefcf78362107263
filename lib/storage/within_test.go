package storage

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReal(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"a/b", "c"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": dir + "/a/b", "relative": "a/b", "nowhere": "c/none", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for name, want := range map[string]string{
		dir:                               dir,
		"c":                               dir + "/c",
		dir + "/c/":                       dir + "/c",
		dir + "/c/../c/.":                 dir + "/c",
		dir + "/link/../x/y":              dir + "/a/x/y", // not dir/x/y
		dir + "/relative/..":              dir + "/a",
		dir + "/nowhere":                  dir + "/c/none",
		dir + "/nowhere/x":                dir + "/c/none/x",
		dir + "/none/deep/x":              dir + "/none/deep/x",
		"file://" + dir + "/link":         dir + "/a/b",
		"/":                               "/",
		"hdfs://host:8020/a/../b/":        "hdfs://host:8020/b",
		"hdfs:///a/./b":                   "hdfs:///a/b",
		"hdfs://host":                     "hdfs://host/",
		"https://example.org/a/../b.warc": "https://example.org/a/../b.warc",
	} {
		if got, err := Real(name); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, want)
		}
	}
	if got, err := Real(dir + "/loop"); err == nil {
		t.Errorf("a loop of links is %s", got)
	}
}

func TestFolderHolds(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"out/deep", "outside", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": dir + "/out", "other/in": "../out/deep/file", "out/away": dir + "/outside"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		folder, name string
		want         bool
	}{
		{dir + "/out", dir + "/out", true},
		{dir + "/out", dir + "/out/../out/deep/none", true},
		{dir + "/out", dir + "/link/x", true},
		{dir + "/link", dir + "/out/x", true},
		{dir + "/out", dir + "/other/in", true},
		{dir + "/out", dir + "/out/away/x", false}, // a link that leads out of it
		{dir + "/out", dir + "/outside", false},
		{dir + "/out", dir, false},
		{dir + "/none", dir + "/none/x", true},
		{dir + "/out", "hdfs:///out", false},
		{"hdfs:///out", "hdfs://host:1/out/x", true},
		{"hdfs://host:2/out", "hdfs://host:1/out/x", false},
		{"hdfs://host:1/out", "hdfs://host:1/a/../out", true},
		{"hdfs://host:1/out", "hdfs://host:1/outside", false},
		{"hdfs://host:1/out", "https://host:1/out/x", false},
	} {
		f, err := NewFolder(c.folder)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Holds(c.name); err != nil || got != c.want {
			t.Errorf("%s in %s: %v, %v, want %v", c.name, c.folder, got, err, c.want)
		}
	}
}
