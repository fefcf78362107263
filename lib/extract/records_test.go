package extract

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/stage"
)

const testdata = "../../testdata/"

// plan makes the sorted plan of a list.
func plan(t testing.TB, list string) string {
	t.Helper()
	content, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := run(t, string(content), func(task *stage.Task) error { return ParseCaptures(task, ByArchive, "") })
	lines := strings.SplitAfter(out, "\n")
	sort.Strings(lines)
	return strings.Join(lines, "")
}

// extractPlan extracts a plan and gives the folder, the tables and the rejects.
func extractPlan(t testing.TB, plan, base, pathIndex string, o Options) (dir, tables, rejects string) {
	t.Helper()
	return run(t, plan, func(task *stage.Task) error {
		archives, err := OpenPlan(base, pathIndex)
		if err != nil {
			return err
		}
		defer archives.Close()
		return Records(task, archives, o)
	})
}

func defaults() Options {
	return Options{Format: "same", MaxSize: 100e6, Verify: "none", Prefix: "TEST", Number: 0}
}

// files gives the content of all files in a folder.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(content)
	}
	return all
}

// TestSameBytesFromTheWeb extracts over byte ranges what it does from a folder,
// with fewer requests than records.
func TestSameBytesFromTheWeb(t *testing.T) {
	p := plan(t, testdata+"captures.cdxj")
	local, localTables, _ := extractPlan(t, p, testdata+"archives", "", defaults())
	var requests atomic.Int32
	folder := http.FileServer(http.Dir(testdata + "archives"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		folder.ServeHTTP(w, r)
	}))
	defer server.Close()
	web, webTables, errs := extractPlan(t, p, server.URL, "", defaults())
	if diff := cmp.Diff(files(t, local), files(t, web)); diff != "" || localTables != webTables {
		t.Errorf("the web gives other files: %s", errs)
	}
	if records := strings.Count(localTables, ManifestTable+"\t"); records < 100 || int(requests.Load()) > records {
		t.Errorf("%d requests for %d records", requests.Load(), records)
	}
}

// TestPathIndexInsteadOfAFolder finds the same archives through an index.
func TestPathIndexInsteadOfAFolder(t *testing.T) {
	p := plan(t, testdata+"captures.tsv")
	folder, want, _ := extractPlan(t, p, testdata+"archives", "", defaults())
	entries, err := os.ReadDir(testdata + "archives")
	if err != nil {
		t.Fatal(err)
	}
	var index strings.Builder
	for _, e := range entries {
		index.WriteString(e.Name() + "\t" + testdata + "archives/" + e.Name() + "\n")
	}
	name := filepath.Join(t.TempDir(), "paths.tsv")
	if err := os.WriteFile(name, []byte(index.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	indexed, got, errs := extractPlan(t, p, "", name, defaults())
	if diff := cmp.Diff(files(t, folder), files(t, indexed)); diff != "" || want != got {
		t.Errorf("the path index gives other files: %s", errs)
	}
}

// TestDateOfHeaderRecords takes the option's date, or that of the first record.
func TestDateOfHeaderRecords(t *testing.T) {
	p := plan(t, testdata+"captures.tsv")
	o := defaults()
	first, _, _ := extractPlan(t, p, testdata+"archives", "", o)
	o.Date = "20010203040506"
	dated, _, _ := extractPlan(t, p, testdata+"archives", "", o)
	plain := func(dir string) string {
		for name, content := range files(t, dir) {
			if strings.HasSuffix(name, ".warc") {
				return content
			}
		}
		t.Fatal("no plain WARC file was made")
		return ""
	}
	if got := plain(dated); !strings.Contains(got[:200], "WARC-Date: 2001-02-03T04:05:06Z\r\n") {
		t.Errorf("with a date: %s", got[:200])
	}
	if got := plain(first); !strings.Contains(got[:200], "WARC-Date: 2008-04-30T") {
		t.Errorf("without a date: %s", got[:200])
	}
}

func TestBadOptions(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"format": func(o *Options) { o.Format = "zip" }, "verify": func(o *Options) { o.Verify = "all" },
		"size": func(o *Options) { o.MaxSize = 0 }, "date": func(o *Options) { o.Date = "20011345000000" },
		"prefix": func(o *Options) { o.Prefix = "../x" },
	} {
		o := defaults()
		change(&o)
		if err := o.check(); err == nil {
			t.Errorf("%s: %+v is accepted", name, o)
		}
	}
}

// BenchmarkRecords extracts all captures of testdata.
func BenchmarkRecords(b *testing.B) {
	p := plan(b, testdata+"captures.cdxj")
	b.ReportAllocs()
	for b.Loop() {
		extractPlan(b, p, testdata+"archives", "", defaults())
	}
}
