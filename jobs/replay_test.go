package jobs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A page is what a record's HTTP response says.
type page struct {
	Status int
	Body   string // without transfer and content codings
}

// sourcePage gives the page of the record at an offset of an archive file, taken
// apart by the standard library only.
func sourcePage(t *testing.T, path string, offset int64) page {
	t.Helper()
	record := cut(t, path, offset, 1<<30)
	if bytes.HasPrefix(record, []byte{0x1f, 0x8b}) {
		record = inflated(t, record)
	}
	line, rest, _ := bytes.Cut(record, []byte("\n"))
	size := string(line[bytes.LastIndexByte(line, ' ')+1:]) // the last field of an ARC record line
	if bytes.HasPrefix(line, []byte("WARC/")) {
		header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(rest))).ReadMIMEHeader()
		if err != nil {
			t.Fatalf("%s at %d: %v", path, offset, err)
		}
		_, rest, _ = bytes.Cut(rest, []byte("\r\n\r\n"))
		size = header.Get("Content-Length")
	}
	n, err := strconv.Atoi(size)
	if err != nil || n > len(rest) {
		t.Fatalf("%s at %d: a block of %s in %d bytes: %v", path, offset, size, len(rest), err)
	}
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest[:n])), nil)
	if err != nil {
		t.Fatalf("%s at %d: %v", path, offset, err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s at %d: %v", path, offset, err)
	}
	if response.Header.Get("Content-Encoding") == "gzip" {
		body = inflated(t, body)
	}
	return page{response.StatusCode, string(body)}
}

// inflated gives the content of the gzip member that p begins with.
func inflated(t *testing.T, p []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false)
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// startPywb starts a pywb server for the collections in a folder and gives its
// address once it answers.
func startPywb(t *testing.T, python, dir string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	var said bytes.Buffer
	server := exec.Command(python, "-W", "ignore", "-m", "pywb.apps.cli", "-b", "127.0.0.1", "-p", port)
	server.Dir, server.Stdout, server.Stderr = dir, &said, &said
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		server.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		server.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("pywb says\n%s", said.String())
		}
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		select {
		case <-ended:
			t.Fatal("pywb has ended")
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Fatal("pywb does not answer within a minute")
	return ""
}

// get fetches an URL in the form that pywb has it in.
func get(t *testing.T, address, collection, timestamp, url string) (*http.Response, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("http://%s/%s/%s/%s", address, collection, timestamp, url), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Close = true                                      // on a connection that is kept, each answer waits for 40 ms
	response, err := http.DefaultTransport.RoundTrip(request) // follows no redirects, inflates
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// collections makes a pywb collection of the whole output with the index that
// the job has made, and one of each of its files with its lines of that index:
// of several captures of an URL in the same second pywb shows but one.
func (e *extraction) collections() (dir string) {
	e.Helper()
	dir = e.TempDir()
	collect := func(name, index string, files []string) {
		e.Helper()
		archive, indexes := filepath.Join(dir, "collections", name, "archive"), filepath.Join(dir, "collections", name, "indexes")
		for _, d := range []string{archive, indexes} {
			if err := os.MkdirAll(d, 0o777); err != nil {
				e.Fatal(err)
			}
		}
		for _, f := range files {
			if err := os.Symlink(f, filepath.Join(archive, filepath.Base(f))); err != nil {
				e.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(indexes, "index.cdxj"), []byte(index), 0o666); err != nil {
			e.Fatal(err)
		}
	}
	index := e.read("index.cdxj")
	collect("all", index, e.files())
	for _, f := range e.files() {
		var lines strings.Builder
		for line := range strings.Lines(index) {
			if strings.Contains(line, `"filename": "`+filepath.Base(f)+`"`) {
				lines.WriteString(line)
			}
		}
		collect(filepath.Base(f), lines.String(), []string{f})
	}
	return dir
}

var titleOf = regexp.MustCompile("<title>.+</title>")

// TestOraclePywb replays every page of an extraction, with its bytes, and of one
// in which ARC records have become WARC records.
func TestOraclePywb(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	for format, kinds := range map[string][]string{"same": {"warc.gz", "warc", "arc.gz", "arc"}, "warc": {"warc.gz", "warc"}} {
		t.Run(format, func(t *testing.T) {
			e := runExtraction(t, filepath.Join(root, "testdata", "archives"), "--input", filepath.Join(root, "testdata", "captures.cdxj"),
				"--format", format, "--max-size", "60KB")
			replayed := e.replay(startPywb(t, python, e.collections()), format == "same")
			t.Logf("pages replayed: %v", replayed)
			for _, kind := range kinds {
				if replayed[kind] == 0 {
					t.Errorf("no page of a file .%s was replayed", kind)
				}
			}
		})
	}
}

// replay fetches all pages as they were and counts them by the suffix of their
// file. shown has them fetched from the whole output too, and as they are shown
// to people, with the links changed.
func (e *extraction) replay(address string, shown bool) map[string]int {
	e.Helper()
	sources := map[string]place{}
	for _, p := range e.manifest() {
		sources[fmt.Sprintf("%s %d", p.File, p.Offset)] = p
	}
	replayed := map[string]int{}
	for _, l := range e.index() {
		if l.Mime != "text/html" || l.Status != "200" {
			continue
		}
		p := sources[l.Filename+" "+l.Offset]
		want := sourcePage(e.T, filepath.Join(e.archives, p.Source), p.SourceOffset)
		collections := []string{l.Filename}
		if shown {
			collections = append(collections, "all")
		}
		for _, collection := range collections {
			raw, body := get(e.T, address, collection, l.Timestamp+"id_", l.URL)
			if raw.StatusCode != want.Status || body != want.Body {
				e.Errorf("%s at %s in %s: status %d instead of %d, %d bytes instead of %d", l.URL, l.Timestamp, collection, raw.StatusCode, want.Status, len(body), len(want.Body))
			}
			moment, err := time.Parse(http.TimeFormat, raw.Header.Get("Memento-Datetime"))
			if err != nil || moment.Format("20060102150405") != l.Timestamp {
				e.Errorf("%s at %s in %s: a memento of %q", l.URL, l.Timestamp, collection, raw.Header.Get("Memento-Datetime"))
			}
		}
		if shown {
			title := titleOf.FindString(want.Body)
			response, body := get(e.T, address, l.Filename, l.Timestamp+"mp_", l.URL)
			if response.StatusCode != want.Status || title == "" || !strings.Contains(body, title) || !strings.Contains(body, `wbinfo.timestamp = "`+l.Timestamp+`"`) {
				e.Errorf("%s at %s: status %d instead of %d, without %q:\n%s", l.URL, l.Timestamp, response.StatusCode, want.Status, title, body)
			}
		}
		_, kind, _ := strings.Cut(l.Filename, ".")
		replayed[kind]++
	}
	if missing, _ := get(e.T, address, "all", "2020id_", "http://garden.example/never"); missing.StatusCode != http.StatusNotFound {
		e.Errorf("a page that is not there: status %d", missing.StatusCode)
	}
	return replayed
}
