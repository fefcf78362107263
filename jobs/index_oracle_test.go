package jobs

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// indexing is what a run of jobs/index.sh has made.
type indexing struct {
	*testing.T
	output string // folder
}

func runIndexing(t *testing.T, args ...string) *indexing {
	t.Helper()
	x := &indexing{t, filepath.Join(t.TempDir(), "output")}
	said(t, "", filepath.Join(root, "jobs", "index.sh"), append([]string{"--quiet", "--output", x.output}, args...)...)
	if t.Failed() {
		t.FailNow()
	}
	return x
}

func (x *indexing) path(name string) string { return filepath.Join(x.output, name) }

func (x *indexing) read(name string) string {
	x.Helper()
	content, err := os.ReadFile(x.path(name))
	if err != nil {
		x.Fatal(err)
	}
	return string(content)
}

// A capture is a line of CDXJ.
type capture struct {
	indexLine
	Key, Digest string
}

// captures gives the lines of index.cdxj that are wanted, all by default.
func (x *indexing) captures(wanted ...func(line string) bool) []capture {
	x.Helper()
	var all []capture
	for line := range strings.Lines(x.read("index.cdxj")) {
		if len(wanted) > 0 && !wanted[0](line) {
			continue
		}
		parts := strings.SplitN(line, " ", 3)
		c := capture{Key: parts[0]}
		c.Timestamp = parts[1]
		if err := json.Unmarshal([]byte(parts[2]), &c); err != nil {
			x.Fatalf("%s: %v", line, err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		x.Fatal("no line of index.cdxj is wanted")
	}
	return all
}

// Older captures, of archive files that are not there: one large domain, and many
// small ones, more than a row group of a table holds.
const bigDomain, bigCaptures, smallDomains, smallCaptures = "big.com", 40_000, 600, 400

// olderIndex writes an index of them, in Common Crawl's layout.
func olderIndex(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	write := func(domain string, n int) {
		name, _, _ := strings.Cut(domain, ".")
		for i := range n {
			digest := sha1.Sum([]byte(fmt.Sprint(domain, i)))
			moment := time.Date(2010, 1, 1, 0, i, 0, 0, time.UTC).Format("20060102150405")
			fmt.Fprintf(&text, `com,%s)/page/%05d %s {"url": "http://%s/page/%05d", "mime": "text/html", "mime-detected": "text/html", "status": "200", "digest": "%s", "length": "%d", "offset": "%d", "filename": "older.warc.gz"}`+"\n",
				name, i, moment, domain, i, base32.StdEncoding.EncodeToString(digest[:]), 1000+i, 1000*i)
		}
	}
	write(bigDomain, bigCaptures)
	for i := range smallDomains {
		write(smallDomain(i), smallCaptures)
	}
	path := filepath.Join(t.TempDir(), "older.cdxj")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func smallDomain(i int) string { return fmt.Sprintf("site%03d.com", i) }

// TestOracleIndex has pywb, DuckDB and pyarrow read what the job makes of testdata's
// archives and an older index: hundreds of blocks of ZipNum, several row groups.
func TestOracleIndex(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	archives := filepath.Join(root, "testdata", "archives")
	x := runIndexing(t, "--input", archives, "--update", olderIndex(t), "--zipnum", "--parquet", "--per-file", "--shards", "2")
	t.Run("pywb", func(t *testing.T) {
		x := &indexing{t, x.output}
		pages := x.pages()
		address := x.startPywb(python, archives, pages)
		replayed := x.replay(python, address, archives, pages)
		t.Logf("pages replayed: %v", replayed)
		for _, kind := range []string{"warc.gz", "warc", "arc.gz", "arc"} {
			if replayed[kind] == 0 {
				t.Errorf("no page of a file .%s was replayed", kind)
			}
		}
		x.wantPages(address)
	})
	t.Run("domains", func(t *testing.T) {
		var want []string
		// The keys of big.com and site123.com lie in one row group, those of
		// site207.com in two; site999.com has none.
		for _, d := range []struct {
			domain           string
			captures, groups int
		}{{bigDomain, bigCaptures, 1}, {smallDomain(123), smallCaptures, 1}, {smallDomain(207), smallCaptures, 2}} {
			want = append(want, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\n", d.domain, d.captures, d.groups, d.groups, d.groups))
		}
		got := said(t, "", python, filepath.Join(root, "jobs", "testdata", "read_table.py"), "domains", x.path("table"), bigDomain, smallDomain(123), smallDomain(207))
		if diff := cmp.Diff(strings.Join(want, ""), got); diff != "" {
			t.Errorf("captures, row groups that hold them, that DuckDB reads, that pyarrow is left with: -want +got\n%s", diff)
		}
		got = said(t, "", python, filepath.Join(root, "jobs", "testdata", "read_table.py"), "domains", x.path("table"), "site999.com")
		if !strings.HasPrefix(got, "site999.com\t0\t0\t0\t") {
			t.Errorf("a domain that is not there: %s", got)
		}
	})
}

// TestOracleTable has DuckDB and pyarrow read the table of testdata's archives.
func TestOracleTable(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	for _, args := range [][]string{{}, {"--shards", "3", "--codec", "gzip", "--bloom-filter", "--crawl", "EOT-2008", "--subset", "crawldiagnostics"}} {
		x := runIndexing(t, append([]string{"--input", filepath.Join(root, "testdata", "archives"), "--parquet"}, args...)...)
		crawl, subset := "main", "warc"
		if len(args) > 0 {
			crawl, subset = "EOT-2008", "crawldiagnostics"
		}
		x.wantTable(python, crawl, subset)
	}
}

// pages gives the captures of HTML pages in archive files that are there.
func (x *indexing) pages() []capture {
	x.Helper()
	return x.captures(func(line string) bool {
		return strings.Contains(line, `"mime": "text/html"`) && strings.Contains(line, `"status": "200"`) && !strings.Contains(line, `"older.warc.gz"`)
	})
}

// collection is the name of an archive file's own collection.
func collection(file string) string { return strings.ReplaceAll(file, "/", "--") }

// startPywb starts pywb with a collection that has index.cdxj, text, one that has
// the cluster, zipnum, and one for the index of each file that has a page.
func (x *indexing) startPywb(python, archives string, pages []capture) (address string) {
	x.Helper()
	var config strings.Builder
	config.WriteString("framed_replay: false\ncollections:\n")
	add := func(name, index string) {
		fmt.Fprintf(&config, "  %q: {index_paths: %q, archive_paths: %q}\n", name, x.path(index), archives+"/")
	}
	add("text", "index.cdxj")
	add("zipnum", "zipnum/cluster.idx")
	files := map[string]bool{}
	for _, c := range pages {
		if !files[c.Filename] {
			add(collection(c.Filename), "cdx/"+c.Filename+".cdxj")
		}
		files[c.Filename] = true
	}
	dir := x.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config.String()), 0o666); err != nil {
		x.Fatal(err)
	}
	return startPywb(x.T, python, dir)
}

// replay fetches pages as they were, and counts them by the suffix of their file.
// The body has to be what warcio reads at the capture's place. In the collections
// of all files this may be the place of any capture of the page in that second:
// pywb shows but one of them.
func (x *indexing) replay(python, address, archives string, pages []capture) map[string]int {
	x.Helper()
	var places strings.Builder
	for _, c := range pages {
		fmt.Fprintf(&places, "%s\t%s\n", filepath.Join(archives, c.Filename), c.Offset)
	}
	sums := strings.Fields(said(x.T, places.String(), python, filepath.Join(root, "jobs", "testdata", "read_bodies.py")))
	if len(sums) != len(pages) {
		x.Fatalf("warcio reads %d payloads of %d", len(sums), len(pages))
	}
	moments := map[string][]string{} // sums of the captures of a page in a second
	for i, c := range pages {
		for _, where := range []string{"", c.Filename} {
			at := c.Key + " " + c.Timestamp + " " + where
			moments[at] = append(moments[at], sums[i])
		}
	}
	asked, replayed := map[string]bool{}, map[string]int{}
	for _, c := range pages {
		for _, name := range []string{"text", "zipnum", collection(c.Filename)} {
			if at := name + " " + c.Timestamp + " " + c.URL; !asked[at] {
				asked[at] = true
				where := c.Filename
				if name == "text" || name == "zipnum" {
					where = ""
				}
				x.wantPage(address, name, &c, moments[c.Key+" "+c.Timestamp+" "+where])
			}
		}
		_, kind, _ := strings.Cut(filepath.Base(c.Filename), ".")
		replayed[kind]++
	}
	for _, name := range []string{"text", "zipnum"} {
		if missing, _ := get(x.T, address, name, "2020id_", "http://garden.example/never"); missing.StatusCode != http.StatusNotFound {
			x.Errorf("%s: a page that is not there: status %d", name, missing.StatusCode)
		}
	}
	return replayed
}

// wantPage fetches a page, which must have one of these SHA-1 sums.
func (x *indexing) wantPage(address, collection string, c *capture, sums []string) {
	x.Helper()
	response, body := get(x.T, address, collection, c.Timestamp+"id_", c.URL)
	if sum := fmt.Sprintf("%x", sha1.Sum([]byte(body))); response.StatusCode != 200 || !slices.Contains(sums, sum) {
		x.Errorf("%s: %s at %s, %s at %s: status %d, %d bytes with SHA-1 %s, not %s", collection, c.URL, c.Timestamp, c.Filename, c.Offset, response.StatusCode, len(body), sum, sums)
	}
	if moment, err := time.Parse(http.TimeFormat, response.Header.Get("Memento-Datetime")); err != nil || moment.Format("20060102150405") != c.Timestamp {
		x.Errorf("%s: %s at %s: a memento of %q", collection, c.URL, c.Timestamp, response.Header.Get("Memento-Datetime"))
	}
}

// wantPages has pywb answer queries of the cluster for a domain: page by page, and
// by one that has less than a page.
func (x *indexing) wantPages(address string) {
	x.Helper()
	query := func(parameters string) string {
		x.Helper()
		response, err := http.Get("http://" + address + "/zipnum/cdx?output=json&matchType=domain&url=" + parameters)
		if err != nil {
			x.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != 200 {
			x.Fatalf("%s: status %d: %v", parameters, response.StatusCode, err)
		}
		return string(body)
	}
	var size struct{ Pages, PageSize, Blocks int }
	if err := json.Unmarshal([]byte(query(bigDomain+"&showNumPages=true")), &size); err != nil {
		x.Fatal(err)
	}
	// 40,000 lines are in 14 or 15 blocks of 3,000, wherever the first begins.
	if size.Pages != 2 || size.Blocks < bigCaptures/3000+1 || size.Blocks > bigCaptures/3000+2 {
		x.Errorf("%s has %+v", bigDomain, size)
	}
	var answer strings.Builder
	for page := range size.Pages {
		answer.WriteString(query(fmt.Sprintf("%s&page=%d", bigDomain, page)))
	}
	for domain, answer := range map[string]string{bigDomain: answer.String(), smallDomain(207): query(smallDomain(207)), "garden.example": query("garden.example")} {
		var want, got []string
		key := strings.Join(reversed(strings.Split(domain, ".")), ",")
		of := func(line string) bool { return strings.HasPrefix(line, key+")") || strings.HasPrefix(line, key+",") }
		for _, c := range x.captures(of) {
			want = append(want, strings.Join([]string{c.Key, c.Timestamp, c.URL, c.Filename, c.Offset, c.Length, c.Digest}, " "))
		}
		for line := range strings.Lines(answer) {
			var c struct {
				capture
				URLKey string
			}
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				x.Fatalf("%s: %v", line, err)
			}
			got = append(got, strings.Join([]string{c.URLKey, c.Timestamp, c.URL, c.Filename, c.Offset, c.Length, c.Digest}, " "))
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			x.Errorf("pywb's answer for %s: -want +got\n%.2000s", domain, diff)
		}
	}
}

func reversed(parts []string) []string {
	slices.Reverse(parts)
	return parts
}

// tableColumns are those of cc-index-table's cc-index-schema-flat.json, here with
// offsets and lengths of 64 bits, and the partitions: name, type in pyarrow,
// whether it may be null, type in DuckDB.
const tableColumns = `url_surtkey string False VARCHAR
url string False VARCHAR
url_host_name string False VARCHAR
url_host_tld string True VARCHAR
url_host_2nd_last_part string True VARCHAR
url_host_3rd_last_part string True VARCHAR
url_host_4th_last_part string True VARCHAR
url_host_5th_last_part string True VARCHAR
url_host_registry_suffix string True VARCHAR
url_host_registered_domain string True VARCHAR
url_host_private_suffix string True VARCHAR
url_host_private_domain string True VARCHAR
url_host_name_reversed string True VARCHAR
url_protocol string False VARCHAR
url_port int32 True INTEGER
url_path string False VARCHAR
url_query string True VARCHAR
fetch_time timestamp[ms, tz=UTC] False TIMESTAMP WITH TIME ZONE
fetch_status int16 False SMALLINT
fetch_redirect string True VARCHAR
content_digest string True VARCHAR
content_mime_type string True VARCHAR
content_mime_detected string True VARCHAR
content_charset string True VARCHAR
content_languages string True VARCHAR
content_truncated string True VARCHAR
warc_filename string False VARCHAR
warc_record_offset int64 False BIGINT
warc_record_length int64 False BIGINT
warc_segment string False VARCHAR
crawl string True VARCHAR
subset string True VARCHAR
`

// wantTable compares schema and rows of the table with what is wanted and with the
// lines of the index that have a row.
func (x *indexing) wantTable(python, crawl, subset string) {
	x.Helper()
	script := filepath.Join(root, "jobs", "testdata", "read_table.py")
	schema := strings.ReplaceAll(said(x.T, "", python, script, "schema", x.path("table")), "\t", " ")
	if diff := cmp.Diff(tableColumns, schema); diff != "" {
		x.Errorf("schema: -want +got\n%s", diff)
	}
	var want []string
	for _, c := range x.captures() {
		if hasRow(c.URL) {
			want = append(want, c.row(crawl, subset))
		}
	}
	slices.Sort(want)
	for _, library := range []string{"pyarrow", "duckdb"} {
		var got []string
		for line := range strings.Lines(said(x.T, "", python, script, library, x.path("table"))) {
			var row []string
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				x.Fatalf("%s: %v", line, err)
			}
			got = append(got, strings.Join(row, " "))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			x.Errorf("rows that %s reads: -index +table\n%s", library, diff)
		}
	}
	x.Logf("%d rows of %d captures", len(want), len(x.captures()))
}

// hasRow says whether an URL has a host.
func hasRow(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return slices.Contains([]string{"http", "https", "ftp", "dns", "whois"}, strings.ToLower(scheme))
}

// row is what the table has of a capture.
func (c *capture) row(crawl, subset string) string {
	null := func(value, instead string) string {
		if value == "-" || value == "" {
			return instead
		}
		return value
	}
	return strings.Join([]string{crawl, subset, c.Key, c.Timestamp, c.URL, c.Filename, c.Offset, null(c.Length, "-1"),
		strings.TrimPrefix(null(c.Digest, ""), "sha1:"), null(c.Status, "-1"), null(c.Mime, "")}, " ")
}
