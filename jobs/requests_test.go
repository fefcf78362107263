package jobs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRequestsBesideResponses selects with --with-requests, by a pipe and on the engine,
// and extracts; warcio finds next to each copied response and revisit the request that it
// finds for it anywhere in the source, with the same block and the same names.
func TestRequestsBesideResponses(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	work := t.TempDir()
	archives := filepath.Join(work, "archives")
	made := filepath.Join(work, "corpus")
	said(t, "", tool(t, "make-corpus"), "--output", made, "--records", "60", "--files", "2", "--format", "warc", "--requests", "--lists=false")
	if err := os.Mkdir(archives, 0o777); err != nil {
		t.Fatal(err)
	}
	link := func(path, name string) {
		if err := os.Symlink(path, filepath.Join(archives, name)); err != nil {
			t.Fatal(err)
		}
	}
	corpus, err := filepath.Glob(filepath.Join(made, "archives", "*"))
	if err != nil || len(corpus) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, path := range corpus {
		link(path, filepath.Base(path))
	}
	if real := os.Getenv("ARCHIVESTREAM_DATA"); real != "" {
		for _, name := range realFiles(t, real, ".warc") {
			if !strings.HasSuffix(name, ".open") {
				link(filepath.Join(real, name), strings.ReplaceAll(name, "/", "__"))
			}
		}
	}
	job := func(name string, args ...string) {
		said(t, "", filepath.Join(root, "jobs", name), append(args, "--quiet")...)
	}
	job("index.sh", "--input", archives, "--output", filepath.Join(work, "index"), "--format", "cdxj")
	index := filepath.Join(work, "index", "index.cdxj")
	if t.Failed() {
		t.FailNow()
	}
	sources, err := filepath.Glob(filepath.Join(archives, "*"))
	if err != nil {
		t.Fatal(err)
	}
	want := requestsOf(t, python, "source", sources)
	for name, args := range map[string][]string{
		"pipe":    {"select.sh", "--cdx", index, "--revisits", "keep", "--save", "warc"},
		"engine":  {"select.sh", "--cdx", index, "--revisits", "keep", "--save", "warc", "--small", "0", "--max-size", "300kB"},
		"extract": {"extract.sh", "--input", index, "--max-size", "200kB"},
	} {
		t.Run(name, func(t *testing.T) {
			output := filepath.Join(work, name)
			job(args[0], append(args[1:], "--archives", archives, "--with-requests", "--output", output)...)
			files, err := filepath.Glob(filepath.Join(output, "*.warc*"))
			if err != nil || len(files) == 0 {
				t.Fatal("no files", err)
			}
			got := requestsOf(t, python, "made", files)
			var lacking, unread int
			for id, line := range got {
				expected := want[id]
				for _, pair := range line {
					if expected != nil && !slices.Contains(expected, pair) { // nil: warcio does not read that far
						t.Errorf("%s: warcio finds %q in the output, %q in the source", id, line, expected)
					}
				}
				if expected == nil {
					unread++
				}
				if strings.HasPrefix(line[0], "-") {
					lacking++
				}
			}
			if len(got) < 60 || lacking == len(got) || unread > 5 {
				t.Errorf("%d responses, of which %d have no request, and %d are not read in the source: too few to show anything", len(got), lacking, unread)
			}
			report, err := os.ReadFile(filepath.Join(output, "_job.json"))
			if err != nil || !strings.Contains(string(report), `"requests"`) {
				t.Errorf("_job.json has no count of requests: %v", err)
			}
		})
	}
	without := filepath.Join(work, "without")
	job("select.sh", "--cdx", index, "--archives", archives, "--revisits", "keep", "--save", "warc", "--output", without)
	for _, table := range []string{"index.cdxj"} {
		if diff := cmp.Diff(keysOf(t, filepath.Join(without, table)), keysOf(t, filepath.Join(work, "pipe", table))); diff != "" {
			t.Errorf("%s: with requests other captures are saved:\n%s", table, diff)
		}
	}
}

// requestsOf returns, by the ids of responses and revisits, what testdata/read_requests.py
// says of them. Several records of one id, in different archives, have a value each.
func requestsOf(t *testing.T, python, mode string, files []string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, f := range fields(said(t, "", python, append([]string{filepath.Join(root, "jobs", "testdata", "read_requests.py"), mode}, files...)...), 4) {
		found[f[0]+" "+f[2]] = append(found[f[0]+" "+f[2]], f[1]+" "+f[3])
	}
	return found
}

// keysOf returns the keys and timestamps of a CDXJ.
func keysOf(t *testing.T, path string) []string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for line := range strings.Lines(string(content)) {
		parts := strings.SplitN(line, " ", 3)
		keys = append(keys, parts[0]+" "+parts[1])
	}
	slices.Sort(keys)
	return keys
}
