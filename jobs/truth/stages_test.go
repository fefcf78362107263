package truth

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"archivestream/lib/mementomap"
)

// stage runs a program on lines, and returns those that it prints.
func stage(t *testing.T, input, name string, args ...string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(said(t, input, filepath.Join(root, "bin", name), args...), "\n"), "\n")
}

// compareLines holds lines against others, at a place of the table each.
func compareLines(t *testing.T, value, place string, ours, theirs []string) {
	t.Helper()
	compare(t, value+" lines", place, fmt.Sprint(len(ours)), fmt.Sprint(len(theirs)))
	for i := range min(len(ours), len(theirs)) {
		compare(t, value, place, ours[i], theirs[i])
	}
}

// archiveFiles returns the paths of all archive files.
func archiveFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(theArchives(t), "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	return files
}

// TestTruthChecksums holds the checksums and copies of all archive files against hashlib.
func TestTruthChecksums(t *testing.T) {
	var ask, ours strings.Builder
	files := archiveFiles(t)
	for i, file := range files {
		name := fmt.Sprintf("copies/%d/%s", i%3, filepath.Base(file))
		ours.WriteString(file)
		if i%3 == 0 {
			name = file
		} else {
			ours.WriteString("\t" + name)
		}
		if i%3 == 2 {
			ours.WriteString("\tcopy")
		}
		ours.WriteString("\n")
		fmt.Fprintf(&ask, "%s\t%s\n", file, name)
	}
	dir := t.TempDir()
	found := stage(t, ours.String(), "list-checksums", "--output", dir)
	compareLines(t, "list-checksums", "-", found, asked(t, ask.String(), "stages.py", "checksums"))
	for i, file := range files {
		if i%3 == 2 {
			name := filepath.Base(file)
			compare(t, "list-checksums/copy", name+" -", fmt.Sprint(read(t, dir, "copies", "2", name) == read(t, file)), "true")
		}
	}
}

// TestTruthKeys holds the keys of all URLs in the archives and in lists of URLs against
// Python's surt, of those of which it has one.
func TestTruthKeys(t *testing.T) {
	var urls strings.Builder
	seen := map[string]bool{}
	add := func(url string) {
		if !seen[url] && url != "" && !strings.ContainsAny(url, "\n\r\ufffd") {
			seen[url] = true
			urls.WriteString(url + "\n")
		}
	}
	for _, c := range captures(t, read(t, indexed(t))) {
		add(c["url"])
		add(c["redirect"])
	}
	for line := range strings.Lines(lookups(t)) {
		add(strings.TrimSuffix(line, "\n"))
	}
	if list := filepath.Join(os.Getenv("ARCHIVESTREAM_DATA"), "surt", "surt_real_urls.tsv"); os.Getenv("ARCHIVESTREAM_DATA") != "" {
		if text, err := os.ReadFile(list); err == nil {
			for line := range strings.Lines(string(text)) {
				url, _, _ := strings.Cut(line, "\t")
				add(url)
			}
		}
	}
	ours := stage(t, urls.String(), "canonicalize-urls")
	for i, line := range asked(t, urls.String(), "stages.py", "keys") {
		key, url, _ := strings.Cut(line, "\t")
		if key != "" {
			compare(t, "canonicalize-urls", url, ours[i], key+"\t"+url)
		}
	}
}

// TestTruthRecords holds the list of records against warcio's.
func TestTruthRecords(t *testing.T) {
	files := archiveFiles(t)
	ours := map[string]string{} // URL and length, by archive and offset
	count := map[string]int{}
	for _, line := range stage(t, strings.Join(files, "\n")+"\n", "list-records") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("not a record: %q", line)
		}
		ours[f[1]+" "+f[2]] = strings.ReplaceAll(f[0], " ", "%20") + " " + f[3] // as warcio writes spaces
		count[f[1]]++
	}
	for _, line := range asked(t, "", "stages.py", append([]string{"records"}, files...)...) {
		f := strings.Split(line, "\t")
		name := filepath.Base(f[1])
		if f[2] == "" {
			compare(t, "list-records/count", name+" -", fmt.Sprint(count[name]), f[3])
			continue
		}
		our, found := ours[name+" "+f[2]]
		if !found {
			our = "no record"
		}
		if f[3] == "" { // not compressed: where a record ends is not what warcio tells
			our, _, _ = strings.Cut(our, " ")
		}
		compare(t, "list-records", name+" "+f[2], our, strings.TrimSuffix(f[0]+" "+f[3], " "))
	}
}

// A query is what lookup-cdx is asked.
type query struct {
	Match   string   `json:"match,omitempty"`
	From    string   `json:"from,omitempty"`
	To      string   `json:"to,omitempty"`
	Closest string   `json:"closest,omitempty"`
	Limit   int      `json:"limit,omitempty"`
	Keys    bool     `json:"keys,omitempty"`
	Queries []string `json:"queries"`
}

func (q query) args() []string {
	var args []string
	for name, value := range map[string]string{"--match": q.Match, "--from": q.From, "--to": q.To, "--closest": q.Closest} {
		if value != "" {
			args = append(args, name, value)
		}
	}
	if q.Limit > 0 {
		args = append(args, "--limit", fmt.Sprint(q.Limit))
	}
	if q.Keys {
		args = append(args, "--keys")
	}
	return args
}

// TestTruthCaptures holds the captures that lookup-cdx finds, in a file, in two files and
// in a cluster, against a look at all lines.
func TestTruthCaptures(t *testing.T) {
	h := newHoldings(t)
	var urls, keys, wild []string
	for i, c := range captures(t, read(t, indexed(t))) {
		if i%60 == 0 && plainURL.MatchString(c["url"]) {
			urls = append(urls, c["url"], c["url"]+"x")
			keys = append(keys, c["key"])
			_, rest, _ := strings.Cut(c["url"], "://")
			host, _, _ := strings.Cut(rest, "/")
			wild = append(wild, []string{c["url"] + "*", "*." + host, c["url"][:len(c["url"])-1] + "*", c["url"]}[i/60%4])
		}
	}
	queries := []query{
		{Queries: urls},
		{Queries: keys, Keys: true},
		{Queries: wild},
		{Queries: urls, From: "2009", To: "20140601"},
		{Queries: urls, To: "2008043020482"},
		{Queries: urls, Limit: 2},
		{Queries: urls, Match: "prefix", From: "20140126200912"},
		{Queries: urls, Match: "host", Limit: 5, From: "2012"},
		{Queries: urls, Match: "domain", To: "2016"},
		{Queries: keys, Keys: true, Match: "domain", Limit: 3},
		{Queries: urls, Closest: "29991231235959", Limit: 1},
		{Queries: urls, Closest: "20140126", Limit: 4},
		{Queries: urls, Match: "host", Closest: "19960101000000", From: "2010"},
	}
	var asks strings.Builder
	for _, q := range queries {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		asks.Write(append(text, '\n'))
	}
	all := h.path("all.cdxj")
	cluster := filepath.Join(run(t, "index.sh", "--input", theArchives(t), "--zipnum", "--shards", "3", "--format", "cdxj-all"), "zipnum")
	for i, line := range asked(t, asks.String(), "stages.py", "captures", all) {
		var theirs []string
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatal(err)
		}
		q := queries[i]
		for name, indexes := range map[string][]string{"file": {all}, "files": {h.path("first.cdxj"), h.path("second.cdxj")}, "cluster": {cluster}} {
			args := q.args()
			for _, index := range indexes {
				args = append(args, "--index", index)
			}
			ours := stage(t, strings.Join(q.Queries, "\n")+"\n", "lookup-cdx", args...)
			compareLines(t, "lookup-cdx/"+name, strings.Join(q.args(), " ")+" -", ours, theirs)
		}
	}
}

// TestTruthMeasure holds the numbers of lines for pairs of weights, without making the maps,
// and of nodes and their children against a slow program that makes them.
func TestTruthMeasure(t *testing.T) {
	h := newHoldings(t)
	text := func(w float64) string {
		if math.IsInf(w, 1) {
			return "inf"
		}
		return strconv.FormatFloat(w, 'g', -1, 64)
	}
	n := len(mementomap.Weights)
	var pairs [][2]string
	at := map[string]int{}
	for i := range n {
		for _, j := range []int{i, (i*7 + 3) % n, n - 1 - i} {
			pair := [2]string{text(mementomap.Weights[i]), text(mementomap.Weights[j])}
			pairs = append(pairs, pair)
			at["lines "+pair[0]+" "+pair[1]] = i*n + j
		}
	}
	ask, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"default": nil, "shape": {"--host-curve", "4,0.3", "--path-means", "3,2,1,1"}} {
		path := h.path("first.ukvs")
		var ours mementomap.Totals
		if err := json.Unmarshal([]byte(stage(t, read(t, path), "measure-mementomap", args...)[0]), &ours); err != nil {
			t.Fatal(err)
		}
		values := map[string]string{"keys": fmt.Sprint(ours.Keys), "captures": fmt.Sprint(ours.Captures), "uris": fmt.Sprint(ours.URIs)}
		for pair, i := range at {
			values[pair] = fmt.Sprint(ours.Lines[i])
		}
		for kind, families := range map[string][]mementomap.Family{"host": ours.Hosts, "path": ours.Paths} {
			for depth, f := range families {
				if f.Parents > 0 && depth <= 8 {
					values[fmt.Sprintf("%s %d", kind, depth)] = fmt.Sprintf("%d %d", f.Parents, f.Children)
				}
			}
		}
		var theirs map[string]string
		answer := asked(t, string(ask), "stages.py", append([]string{"measure", path}, args...)...)[0]
		if err := json.Unmarshal([]byte(answer), &theirs); err != nil {
			t.Fatal(err)
		}
		for key, value := range theirs {
			compare(t, "measure-mementomap/"+strings.Fields(key)[0], name+" "+key, values[key], value)
		}
		compare(t, "measure-mementomap/values", name, fmt.Sprint(len(values)), fmt.Sprint(len(theirs)))
	}
}
