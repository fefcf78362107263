package jobs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/realdata"
)

// An indexed capture: its line, and what the line says of it.
type indexed struct{ line, key, url, host, port string }

var keyWithHost = regexp.MustCompile(`^([^/]*?)(?::([0-9]+))?\)/`)

// readIndexed reads the lines of a CDXJ file.
func readIndexed(t *testing.T, name string) []indexed {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []indexed
	for line := range strings.Lines(string(content)) {
		fields := strings.SplitN(line, " ", 3) // key, timestamp, object
		i := indexed{line: line, key: fields[0]}
		var object struct{ URL string }
		if err := json.Unmarshal([]byte(fields[2]), &object); err != nil {
			t.Fatal(err)
		}
		i.url = object.URL
		if m := keyWithHost.FindStringSubmatch(i.key); m != nil {
			i.host, i.port = m[1], m[2]
		}
		all = append(all, i)
	}
	return all
}

// has reports whether a capture belongs to what is looked for.
func (of *indexed) has(i *indexed, match string) bool {
	switch match {
	case "exact":
		return i.key == of.key
	case "prefix":
		end := ""
		for _, e := range []string{"/", "?"} {
			if strings.HasSuffix(of.url, e) && !strings.HasSuffix(of.key, e) {
				end = e
			}
		}
		return i.key == of.key || strings.HasPrefix(i.key, of.key+end)
	case "host":
		return i.host == of.host && (of.port == "" || i.port == of.port)
	}
	return i.host == of.host || strings.HasPrefix(i.host, of.host+",")
}

// TestEveryCaptureIsFound looks each URL of an index of all archives up, and its key,
// in all ways, and holds what comes against a look at each line of the index. A map of
// the index, rolled up or not, knows each of them.
func TestEveryCaptureIsFound(t *testing.T) {
	t.Parallel()
	dirs := []string{filepath.Join(root, "testdata", "archives"), filepath.Join(root, "testdata", "odd")}
	if dir := os.Getenv("ARCHIVESTREAM_DATA"); dir != "" {
		dirs = append(dirs, realdata.Folder(t))
	}
	args := []string{"--quiet", "--zipnum", "--full-paths"} // some files have one name
	for _, dir := range dirs {
		for _, name := range realFiles(t, dir, ".arc", ".warc") {
			args = append(args, "--input", filepath.Join(dir, name))
		}
	}
	output := filepath.Join(t.TempDir(), "index")
	said(t, "", filepath.Join(root, "jobs", "index.sh"), append(args, "--output", output)...)
	plain := filepath.Join(output, "index.cdxj")
	all := readIndexed(t, plain)
	t.Logf("%d captures", len(all))
	for _, match := range []string{"exact", "prefix", "host", "domain"} {
		var urls, keys, wantURLs, wantKeys strings.Builder
		seen := map[string]bool{}
		for i := range all {
			of := &all[i]
			what, asKey := of.url, indexed{key: of.key, host: of.host, port: of.port}
			if match == "host" || match == "domain" {
				if of.host == "" {
					continue // dns: and others
				}
				what = of.host + ":" + of.port
			}
			if seen[what] || strings.ContainsAny(of.url, "\n\ufffd") {
				continue // its bytes are not in the line
			}
			seen[what] = true
			urls.WriteString(of.url + "\n")
			keys.WriteString(of.key + "\n")
			found := false
			for j := range all {
				if of.has(&all[j], match) {
					wantURLs.WriteString(all[j].line)
					found = found || i == j
				}
				if asKey.has(&all[j], match) {
					wantKeys.WriteString(all[j].line)
				}
			}
			if !found {
				t.Fatalf("%s: %s does not have itself", match, of.url)
			}
		}
		for _, index := range []string{plain, filepath.Join(output, "zipnum")} {
			lookUp := filepath.Join(root, "bin", "lookup-cdx")
			wantLines(t, match+" in "+filepath.Base(index), wantURLs.String(), said(t, urls.String(), lookUp, "--index", index, "--match", match))
			wantLines(t, match+" by key in "+filepath.Base(index), wantKeys.String(), said(t, keys.String(), lookUp, "--index", index, "--match", match, "--keys"))
		}
	}
	wantInMap(t, plain, all, "--host-weight", "inf", "--path-weight", "inf")
	wantInMap(t, plain, all)
	wantInMap(t, plain, all, "--host-weight", "0", "--path-weight", "0")
}

// wantInMap makes a map of an index and looks all captures up, by URL and by key.
func wantInMap(t *testing.T, index string, all []indexed, options ...string) {
	t.Helper()
	output := filepath.Join(t.TempDir(), "map")
	said(t, "", filepath.Join(root, "jobs", "mementomap.sh"), append(options, "--quiet", "--input", index, "--output", output)...)
	var urls, keys strings.Builder
	for i := range all {
		if !strings.ContainsAny(all[i].url, "\n\ufffd") {
			urls.WriteString(all[i].url + "\n")
		}
		keys.WriteString(all[i].key + "\n")
	}
	for _, args := range [][]string{{urls.String()}, {keys.String(), "--keys"}} {
		found := said(t, args[0], filepath.Join(root, "bin", "lookup-mementomap"), append(args[1:], "--map", filepath.Join(output, "mementomap.ukvs"))...)
		if n := strings.Count(found, "\n"); n != strings.Count(args[0], "\n") {
			t.Errorf("%v: %d answers to %d lookups", options, n, strings.Count(args[0], "\n"))
		}
		for line := range strings.Lines(found) {
			if strings.HasSuffix(line, "\t-\n") || strings.HasSuffix(line, "\t0\n") {
				t.Errorf("%v: held and said to be absent: %s", options, line)
			}
		}
	}
}

// wantLines compares lines and tells of the first ones that differ.
func wantLines(t *testing.T, what, want, got string) {
	t.Helper()
	if want == "" {
		t.Errorf("%s: nothing is looked for", what)
	}
	if want == got {
		return
	}
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			t.Errorf("%s: line %d of %d, %d expected:\n got %swant %s", what, i+1, len(g), len(w), g[i], w[i])
			return
		}
	}
	t.Errorf("%s: %d lines, expected %d; the rest begins with %q", what, len(g), len(w), slices.Concat(w[min(len(w), len(g)):], g[min(len(w), len(g)):])[0])
}
