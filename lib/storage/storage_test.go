package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
)

func write(t *testing.T, create func(string) (Writer, error), name, content string) {
	t.Helper()
	w, err := create(name)
	if err == nil {
		_, err = io.WriteString(w, content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func names(infos []Info) []string {
	list := []string{}
	for _, i := range infos {
		list = append(list, i.Path)
	}
	return list
}

func TestFileAppearsWhenItIsWhole(t *testing.T) {
	for how, create := range map[string]func(string) (Writer, error){"durable": Create, "data": CreateData} {
		dir := t.TempDir()
		name := filepath.Join(dir, "deep", "file")
		w, err := create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "content")
		if found, err := Exists(name); found || err != nil {
			t.Errorf("%s: before Close: found %v, %v", how, found, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); string(got) != "content" || err != nil {
			t.Errorf("%s: %q, %v", how, got, err)
		}
		if w, err = create(name); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "other")
		if err := w.Abort(); err != nil {
			t.Fatal(err)
		}
		entries, _ := os.ReadDir(filepath.Dir(name))
		if got, _ := os.ReadFile(name); string(got) != "content" || len(entries) != 1 {
			t.Errorf("%s: after Abort: %q, %v", how, got, entries)
		}
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/1.txt", "a/2.txt", "a/_hidden", "a/.hidden", "a/sub/3.txt", "b/1.txt", "b/x.csv"} {
		write(t, CreateDirectInNewFolder, filepath.Join(dir, name), name)
	}
	if err := MkdirAll(filepath.Join(dir, "empty")); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][]string{
		"a":           {"a/1.txt", "a/2.txt"},
		"a/2.txt":     {"a/2.txt"},
		"a/_hidden":   {"a/_hidden"},
		"*/1.txt":     {"a/1.txt", "b/1.txt"},
		"?/*.txt":     {"a/1.txt", "a/2.txt", "b/1.txt"},
		"[ab]":        {"a/1.txt", "a/2.txt", "b/1.txt", "b/x.csv"},
		"a/sub/*":     {"a/sub/3.txt"},
		"b/[0-9].txt": {"b/1.txt"},
		"empty":       {},
	} {
		got, err := Expand(filepath.Join(dir, pattern))
		for i := range want {
			want[i] = filepath.Join(dir, want[i])
		}
		if diff := cmp.Diff(want, names(got)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", pattern, err, diff)
		}
	}
	for _, pattern := range []string{"nothing", "*/nothing", "nothing/*", "a/*.pdf"} {
		if got, err := Expand(filepath.Join(dir, pattern)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, %v", pattern, names(got), err)
		}
	}
	if _, err := Expand(filepath.Join(dir, "a", "[")); err == nil {
		t.Error("a bad pattern is no error")
	}
}

// CreateDirectInNewFolder is CreateDirect for a folder that may not be there.
func CreateDirectInNewFolder(name string) (Writer, error) {
	if err := MkdirAll(filepath.Dir(name)); err != nil {
		return nil, err
	}
	return CreateDirect(name)
}

func TestOpenStreamInflatesWhateverTheNameIs(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	for _, part := range []string{"one ", "two"} {
		z := gzip.NewWriter(&b)
		io.WriteString(z, part)
		z.Close()
	}
	for name, content := range map[string]string{"plain.gz": "plain", "zipped.txt": b.String(), "empty": "", "short": "\x1f"} {
		write(t, Create, filepath.Join(dir, name), content)
	}
	for name, want := range map[string]string{"plain.gz": "plain", "zipped.txt": "one two", "empty": "", "short": "\x1f"} {
		f, err := OpenStream(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if string(got) != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
		f.Close()
	}
}

func TestFileURIAndUnknownScheme(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	write(t, Create, "file://"+name, "content")
	if got, err := os.ReadFile(name); string(got) != "content" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	// Hadoop tells its tasks the folder of their files so, where that is no HDFS.
	t.Chdir(t.TempDir())
	write(t, CreateDirect, Join("file:"+filepath.Dir(name), "hadoop"), "of hadoop")
	if got, err := os.ReadFile(filepath.Join(filepath.Dir(name), "hadoop")); string(got) != "of hadoop" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Open("ftp://host/file"); err == nil || !strings.Contains(err.Error(), `no storage for the scheme "ftp"`) {
		t.Errorf("unknown scheme: %v", err)
	}
	if _, err := Open(filepath.Dir(name)); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("folder: %v", err)
	}
}

// site serves one file by ranges and fails first as often as failures says.
func site(content string, failures *atomic.Int32, ranges bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/file" {
			http.NotFound(w, r)
			return
		}
		if r.Method == http.MethodGet && failures.Add(-1) >= 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		if !ranges {
			r.Header.Del("Range")
		}
		http.ServeContent(w, r, "", time.Unix(1700000000, 0), strings.NewReader(content))
	})
}

func TestWebRanges(t *testing.T) {
	content := strings.Repeat("0123456789", 1000)
	var failures atomic.Int32
	server := httptest.NewTLSServer(site(content, &failures, true))
	defer server.Close()
	kept := webClient
	webClient = server.Client()
	defer func() { webClient = kept }()

	failures.Store(2)
	f, err := Open(server.URL + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size() != int64(len(content)) {
		t.Errorf("size %d", f.Size())
	}
	for _, c := range []struct {
		off int64
		n   int
		eof bool
	}{{0, 10, false}, {9990, 10, false}, {9991, 10, true}, {5000, 0, false}, {10000, 1, true}, {1 << 40, 1, true}} {
		p := make([]byte, c.n)
		n, err := f.ReadAt(p, c.off)
		from := min(c.off, int64(len(content)))
		want := content[from:min(from+int64(c.n), int64(len(content)))]
		if string(p[:n]) != want || errors.Is(err, io.EOF) != c.eof || err != nil && !c.eof {
			t.Errorf("%d bytes at %d: %q, %v, want %q", c.n, c.off, p[:n], err, want)
		}
	}
	if _, err := Open(server.URL + "/nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Create(server.URL + "/file"); !errors.Is(err, errReadOnly) {
		t.Errorf("create: %v", err)
	}
}

func TestWebServerWithoutRangesIsRefused(t *testing.T) {
	var failures atomic.Int32
	server := httptest.NewServer(site("0123456789", &failures, false))
	defer server.Close()
	f, err := Open(server.URL + "/file")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(make([]byte, 3), 2); err == nil || !strings.Contains(err.Error(), "does not answer byte ranges") {
		t.Errorf("part: %v", err)
	}
	if _, err := f.ReadAt(make([]byte, 10), 0); err != nil {
		t.Errorf("the whole file: %v", err)
	}
}

// A server that is out of order, or says nothing any more, costs all attempts once
// for a file; when it is back, there are as many as before.
func TestWebServerOutOfOrder(t *testing.T) {
	var failures, silent, asked atomic.Int32
	inner := site("0123456789", &failures, true)
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Method == http.MethodGet && silent.Add(-1) >= 0 {
			w.Header().Set("Content-Range", "bytes 2-4/10")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "2")
			w.(http.Flusher).Flush()
			<-done
			return
		}
		inner.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer close(done)
	kept := webSilence
	webSilence = 300 * time.Millisecond
	defer func() { webSilence = kept }()
	f, err := Open(server.URL + "/file")
	if err != nil {
		t.Fatal(err)
	}
	read := func(requests int, want, fault string) {
		t.Helper()
		asked.Store(0)
		p := make([]byte, 3)
		n, err := f.ReadAt(p, 2)
		if fault == "" && (err != nil || string(p[:n]) != want) || fault != "" && (err == nil || !strings.Contains(err.Error(), fault)) {
			t.Errorf("read %q, %v; want %q and an error with %q", p[:n], err, want, fault)
		}
		if n := int(asked.Load()); n != requests {
			t.Errorf("%d requests, want %d", n, requests)
		}
	}
	silent.Store(1)
	read(2, "234", "")
	failures.Store(6)
	read(4, "", "503 Service Unavailable")
	silent.Store(1)
	read(1, "", "the server has sent nothing for 300ms")
	read(1, "", "503")
	read(1, "", "503")
	read(1, "234", "")
	failures.Store(1)
	read(2, "234", "")
}

func TestJoin(t *testing.T) {
	for _, c := range [][3]string{
		{"", "b", "b"}, {"a", "", "a"}, {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"hdfs://h/a", "b/c", "hdfs://h/a/b/c"}, {"hdfs:///a/", "/b", "hdfs:///a/b"},
		{"/", "a", "/a"}, {"hdfs://h/", "a", "hdfs://h/a"}, {"hdfs:///", "a", "hdfs:///a"},
	} {
		if got := Join(c[0], c[1]); got != c[2] {
			t.Errorf("Join(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
