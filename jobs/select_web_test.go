package jobs

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/corpus"
)

// span is a range of a file, in bytes; its end is not part of it.
type span struct{ Start, End int64 }

// webArchives serves a corpus' archives by byte ranges and notes what is asked for.
type webArchives struct {
	*httptest.Server
	faults map[string]string // by file name: missing, refused, broken or whole

	mu    sync.Mutex
	asked map[string][]span // by file name
}

func serveArchives(t *testing.T, dir string, secure bool) *webArchives {
	t.Helper()
	s := &webArchives{faults: map[string]string{}, asked: map[string][]span{}}
	files := http.FileServer(http.Dir(dir))
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Path)
		switch fault := s.faults[name]; {
		case fault == "missing":
			http.NotFound(w, r)
			return
		case fault == "refused", fault == "broken" && r.Method == http.MethodGet:
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		case fault == "whole":
			r.Header.Del("Range")
		}
		if r.Method == http.MethodGet {
			s.note(name, r.Header.Get("Range"))
		}
		files.ServeHTTP(w, r)
	}))
	if !secure {
		s.Start()
	} else {
		s.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	return s
}

func (s *webArchives) note(name, header string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var asked span
	if _, err := fmt.Sscanf(header, "bytes=%d-%d", &asked.Start, &asked.End); err == nil {
		asked.End++
	}
	s.asked[name] = append(s.asked[name], asked)
}

// ranges gives what was asked for since the last call, by file name, in the order of
// the file; what was read by different tasks and touches is one range.
func (s *webArchives) ranges() map[string][]span {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, spans := range s.asked {
		slices.SortFunc(spans, func(a, b span) int { return int(a.Start - b.Start) })
		joined := spans[:1]
		for _, next := range spans[1:] {
			if last := &joined[len(joined)-1]; next.Start <= last.End {
				last.End = max(last.End, next.End)
			} else {
				joined = append(joined, next)
			}
		}
		s.asked[name] = joined
	}
	asked := s.asked
	s.asked = map[string][]span{}
	return asked
}

// certificate writes the server's certificate where programs look for those they
// trust, and gives the environment for that.
func (s *webArchives) certificate(t *testing.T) string {
	t.Helper()
	if s.Certificate() == nil {
		return "SSL_CERT_FILE="
	}
	name := filepath.Join(t.TempDir(), "server.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return "SSL_CERT_FILE=" + name
}

// webCorpus is a corpus of three archives in which the records that webCondition
// takes lie at two places, further apart than what is read rather than skipped.
func webCorpus(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	_, err := corpus.Make(dir, corpus.Options{Records: 400, Seed: 7, Files: 3, Hosts: 20, Format: "warc", Compress: true, MinSize: 60000, MaxSize: 120000, Lists: true})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

const webCondition = `status == 200 && (offset < 100000 || offset > 1500000 && offset < 1600000)`

// neededRanges gives where the records that webCondition takes lie.
func neededRanges(t *testing.T, index string) map[string][]span {
	t.Helper()
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	const probe = 4 // bytes behind a record, which tell that it ends there
	needed := map[string][]span{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 11 || f[4] != "200" {
			continue
		}
		length, _ := strconv.ParseInt(f[8], 10, 64)
		offset, err := strconv.ParseInt(f[9], 10, 64)
		if err != nil || offset >= 100000 && (offset <= 1500000 || offset >= 1600000) {
			continue
		}
		places := needed[f[10]]
		if places == nil {
			places = []span{{1 << 60, 0}, {1 << 60, 0}}
			needed[f[10]] = places
		}
		place := &places[0]
		if offset > 1500000 {
			place = &places[1]
		}
		place.Start, place.End = min(place.Start, offset), max(place.End, offset+length+probe)
	}
	if len(needed) != 3 {
		t.Fatalf("the corpus has records in %d archives", len(needed))
	}
	for name, places := range needed {
		if places[1].Start-places[0].End < 1<<20 {
			t.Fatalf("%s: the records lie at %v", name, places)
		}
	}
	return needed
}

// selectJob runs jobs/select.sh on the corpus.
func selectJob(t *testing.T, environment, dir, output string, args ...string) map[string]string {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "jobs", "select.sh"), append([]string{"--quiet", "--cdx", filepath.Join(dir, "index.cdx"), "--where", webCondition,
		"--output", filepath.Join(dir, output)}, args...)...)
	cmd.Env = append(os.Environ(), environment)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", cmd.Args, err, said)
	}
	return (&bench{t, dir}).tree(output)
}

// Of archives on a web server those ranges are read that hold what is selected, and
// nothing else, whether it is done in a pipe or by an engine; the same comes out as
// from a folder.
func TestSelectReadsRangesFromAWebServer(t *testing.T) {
	t.Parallel()
	dir := webCorpus(t)
	archives, needed := filepath.Join(dir, "archives"), neededRanges(t, filepath.Join(dir, "index.cdx"))
	for _, scheme := range []string{"http", "https"} {
		server := serveArchives(t, archives, scheme == "https")
		trusted := server.certificate(t)
		for name, options := range map[string][]string{
			"json":        {"--enrich", "payload.string.html.title,payload.length"},
			"json-engine": {"--enrich", "payload.string.html.title,payload.length", "--small", "0", "--max-size", "300kB"},
			"warc":        {"--save", "warc"},
			"warc-engine": {"--save", "warc", "--small", "0", "--max-size", "300kB"},
		} {
			want := selectJob(t, trusted, dir, "folder-"+scheme+"-"+name, append(options, "--archives", archives)...)
			if len(want["_rejects.tsv"]) > 0 || len(want) < 3 {
				t.Fatalf("%s: the folder's selection has %d files and the rejects %q", name, len(want), want["_rejects.tsv"])
			}
			if asked := server.ranges(); len(asked) > 0 {
				t.Fatalf("%s: the folder's selection asks a server for %v", name, asked)
			}
			got := selectJob(t, trusted, dir, "web-"+scheme+"-"+name, append(options, "--archives", server.URL)...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s:\n%s", scheme, name, diff)
			}
			asked := server.ranges()
			if !strings.HasSuffix(name, "engine") {
				if diff := cmp.Diff(needed, asked); diff != "" {
					t.Errorf("%s, %s: ranges:\n%s", scheme, name, diff)
				}
				continue
			}
			// Tasks that share a place leave out what lies between their records.
			for archive, spans := range asked {
				for _, s := range spans {
					if !slices.ContainsFunc(needed[archive], func(n span) bool { return n.Start <= s.Start && s.End <= n.End }) {
						t.Errorf("%s, %s: %s is asked for %v, needed is %v", scheme, name, archive, s, needed[archive])
					}
				}
			}
		}
	}
}

// Archives that a path index says to lie in a folder and on two servers.
func TestSelectReadsSeveralBases(t *testing.T) {
	t.Parallel()
	dir := webCorpus(t)
	archives := filepath.Join(dir, "archives")
	needed := neededRanges(t, filepath.Join(dir, "index.cdx"))
	plain, secure := serveArchives(t, archives, false), serveArchives(t, archives, true)
	trusted := secure.certificate(t)
	bases := []string{archives, plain.URL, secure.URL}
	names := slices.Sorted(maps.Keys(needed))
	var lines strings.Builder
	for i, name := range names {
		fmt.Fprintf(&lines, "%s\t%s/%s\n", name, bases[i], name)
	}
	index := filepath.Join(dir, "paths.tsv")
	if err := os.WriteFile(index, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, small := range []string{"64MB", "0"} {
		options := []string{"--enrich", "payload.length", "--small", small}
		want := selectJob(t, trusted, dir, "folder-"+small, append(options, "--archives", archives)...)
		got := selectJob(t, trusted, dir, "bases-"+small, append(options, "--path-index", index)...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("--small %s:\n%s", small, diff)
		}
		for i, server := range []*webArchives{plain, secure} {
			name := names[i+1]
			if diff := cmp.Diff(map[string][]span{name: needed[name]}, server.ranges()); diff != "" {
				t.Errorf("--small %s: ranges of %s:\n%s", small, bases[i+1], diff)
			}
		}
	}
}

// Archives that a server does not have, refuses, cannot read or gives as a whole
// only cost their own captures, with or without an engine.
func TestSelectRejectsWhatAWebServerDoesNotGive(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "corpus")
	_, err := corpus.Make(dir, corpus.Options{Records: 100, Seed: 7, Files: 5, Hosts: 20, Format: "warc", Compress: true, MinSize: 2000, MaxSize: 9000, Lists: true})
	if err != nil {
		t.Fatal(err)
	}
	archives := filepath.Join(dir, "archives")
	server := serveArchives(t, archives, false)
	paths, err := filepath.Glob(filepath.Join(archives, "*"))
	if err != nil || len(paths) != 5 {
		t.Fatalf("archives %v, %v", paths, err)
	}
	reasons := map[string]string{}
	condition := "status == 200"
	for i, fault := range []struct{ kind, reason string }{
		{"missing", "archive file not found"},
		{"refused", "archive file cannot be opened: %s: 500 Internal Server Error"},
		{"broken", "archive file cannot be read: %s: 500 Internal Server Error"},
		{"whole", "archive file cannot be read: %s: the server does not answer byte ranges: unexpected status"},
	} {
		name := filepath.Base(paths[i])
		server.faults[name] = fault.kind
		reasons[name] = strings.ReplaceAll(fault.reason, "%s", server.URL+"/"+name)
		condition += fmt.Sprintf(` && filename != %q`, name)
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.cdx"))
	if err != nil {
		t.Fatal(err)
	}
	var rejects []string
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if reason := reasons[f[len(f)-1]]; reason != "" && f[4] == "200" {
			rejects = append(rejects, "enrich-captures\t"+reason+"\t"+line)
		}
	}
	slices.Sort(rejects)
	if len(rejects) < 20 {
		t.Fatalf("only %d captures are in the archives with faults", len(rejects))
	}
	options := []string{"--enrich", "payload.string.html.title,payload.length"}
	want := selectJob(t, "", dir, "rest", append(options, "--where", condition, "--archives", archives)...)
	for _, small := range []string{"64MB", "0"} {
		got := selectJob(t, "", dir, "web-"+small, append(options, "--where", "status == 200", "--archives", server.URL,
			"--small", small, "-D", "mapreduce.map.maxattempts=2")...)
		lines := slices.Sorted(strings.Lines(got["_rejects.tsv"]))
		if diff := cmp.Diff(rejects, lines); diff != "" {
			t.Errorf("--small %s: rejects:\n%s", small, diff)
		}
		delete(got, "_rejects.tsv")
		delete(want, "_rejects.tsv")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("--small %s:\n%s", small, diff)
		}
	}
}
