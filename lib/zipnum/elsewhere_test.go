package zipnum

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestElsewhere has clusters that lead outside of their folder, by names of shards, by
// cluster.loc, by a header and by links: nothing is read there unless it is allowed.
func TestElsewhere(t *testing.T) {
	lines := manyLines(40)
	other := cluster(t, WriterOptions{Lines: 5}, lines)
	shard := filepath.Join(other, "cdx-00000.gz")
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.FileServer(http.Dir(other)).ServeHTTP(w, r)
	}))
	defer server.Close()
	index, err := os.ReadFile(filepath.Join(other, "cluster.idx"))
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string) string { return strings.ReplaceAll(string(index), "\tcdx-00000.gz\t", "\t"+name+"\t") }
	up := func(dir string) string {
		rel, err := filepath.Rel(dir, shard)
		if err != nil {
			t.Fatal(err)
		}
		return rel
	}
	for name, make := range map[string]func(dir string) (idx, loc string){
		"full path": func(string) (string, string) { return named(shard), "" },
		"up":        func(dir string) (string, string) { return named(up(dir)), "" },
		"down and up": func(dir string) (string, string) {
			if err := os.Mkdir(filepath.Join(dir, "x"), 0o777); err != nil {
				t.Fatal(err)
			}
			return named("x/../" + up(dir)), ""
		},
		"file URI":       func(string) (string, string) { return named("file://" + shard), "" },
		"server":         func(string) (string, string) { return named(server.URL + "/cdx-00000.gz"), "" },
		"loc: full path": func(string) (string, string) { return string(index), "cdx-00000.gz\t" + shard + "\n" },
		"loc: up":        func(dir string) (string, string) { return string(index), "cdx-00000.gz\t" + up(dir) + "\n" },
		"loc: server":    func(string) (string, string) { return string(index), "cdx-00000.gz\t" + server.URL + "/cdx-00000.gz\n" },
		"loc: gone here": func(string) (string, string) { return string(index), "cdx-00000.gz\tgone.gz\t" + shard + "\n" },
		"link": func(dir string) (string, string) {
			if err := os.Symlink(shard, filepath.Join(dir, "cdx-00000.gz")); err != nil {
				t.Fatal(err)
			}
			return string(index), ""
		},
		"link to a folder": func(dir string) (string, string) {
			if err := os.Symlink(other, filepath.Join(dir, "sub")); err != nil {
				t.Fatal(err)
			}
			return named("sub/cdx-00000.gz"), ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			idx, loc := make(dir)
			writeFile(t, dir, "cluster.idx", idx)
			if loc != "" {
				writeFile(t, dir, "cluster.loc", loc)
			}
			before := asked
			got, errs := collect(openCluster(t, dir), "", "")
			if len(got) > 0 || len(errs) == 0 || !strings.Contains(errs[0], "outside of the cluster's folder") || asked > before {
				t.Errorf("%d lines, %d requests, errors %v", len(got), asked-before, errs)
			}
			wantRange(t, openWith(t, dir, Options{Elsewhere: true}), lines, "", "")
		})
	}
	// What lies inside is no matter how it is named; a folder behind a link has its
	// shards inside.
	inside := cluster(t, WriterOptions{Lines: 5}, lines)
	for _, loc := range []string{"./cdx-00000.gz", filepath.Join(inside, "cdx-00000.gz"), "x/../cdx-00000.gz", "../" + filepath.Base(inside) + "/cdx-00000.gz"} {
		writeFile(t, inside, "cluster.loc", "cdx-00000.gz\t"+loc+"\n")
		if err := os.MkdirAll(filepath.Join(inside, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
		wantRange(t, openCluster(t, inside), lines, "", "")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	wantRange(t, openCluster(t, link), lines, "", "")
	wantRange(t, openCluster(t, server.URL+"/cluster.idx"), lines, "", "")
}

func TestBelowURL(t *testing.T) {
	for place, want := range map[string]bool{
		"https://a.example/x/cdx-00000.gz":        true,
		"https://a.example/x/y/cdx-00000.gz":      true,
		"https://a.example/x/../cdx-00000.gz":     false,
		"https://a.example/x/%2e%2e/cdx-00000.gz": false,
		"https://a.example/x/..%2fcdx-00000.gz":   false,
		`https://a.example/x/..\cdx-00000.gz`:     false,
		"https://a.example/xx/cdx-00000.gz":       false,
		"https://a.example:8080/x/cdx-00000.gz":   false,
		"http://a.example/x/cdx-00000.gz":         false,
		"https://a.example@b.example/x/cdx-00000": false,
		"/x/cdx-00000.gz":                         false,
	} {
		if got := belowURL("https://a.example/x/cluster.idx", place); got != want {
			t.Errorf("%s: %v", place, got)
		}
	}
}
