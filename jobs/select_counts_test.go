package jobs

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestWhatIsSaidCanBeCounted counts what each form of output has: the numbers of the
// job's last lines are the same, in a pipe and on an engine.
func TestWhatIsSaidCanBeCounted(t *testing.T) {
	t.Parallel()
	all := smallIndex(t)
	index := writeIndex(t, "cdxj-all", all)
	lines := func(pattern string) func(*selected) int {
		return func(s *selected) int { return strings.Count(s.parts(pattern), "\n") }
	}
	rows := func(s *selected) int {
		table, err := csv.NewReader(strings.NewReader(s.parts("part-*.csv.gz"))).ReadAll()
		if err != nil {
			s.t.Fatal(err)
		}
		headers := 0
		for _, row := range table {
			if row[0] == table[0][0] {
				headers++
			}
		}
		return len(table) - headers
	}
	const pages = `status == 200 && mime == "text/html"`
	for _, test := range []struct {
		args  []string
		thing string
		count func(*selected) int
	}{
		{[]string{"--save", "cdxj"}, "captures", lines("index.cdxj")},
		{[]string{"--save", "cdx"}, "captures", func(s *selected) int { return lines("index.cdx")(s) - 1 }},
		{[]string{"--save", "cdxj", "--pick", "latest"}, "captures", lines("index.cdxj")},
		{[]string{"--save", "cdxj", "--keep", "payload.length > 500"}, "captures", lines("index.cdxj")},
		{[]string{"--save", "warc"}, "records", lines("manifest.tsv")},
		{[]string{"--save", "warc", "--max-size", "8kB"}, "records", lines("manifest.tsv")},
		{[]string{"--save", "warc", "--max-size", "8kB"}, "files", archiveFiles},
		{[]string{"--save", "warc", "--keep", "payload.length > 500"}, "records", recordsOf},
		{[]string{"--save", "json", "--enrich", "title"}, "captures", lines("part-*.json.gz")},
		{[]string{"--save", "json", "--enrich", "title", "--pretty"}, "captures", func(s *selected) int { return strings.Count("\n"+s.parts("part-*.json.gz"), "\n{\n") }},
		{[]string{"--save", "json", "--enrich", "title", "--pick", "earliest", "--per", "host"}, "captures", lines("part-*.json.gz")},
		{[]string{"--save", "documents"}, "documents", lines("part-*.json.gz")},
		{[]string{"--save", "text"}, "texts", lines("part-*.txt.gz")},
		{[]string{"--save", "text", "--enrich", "payload.string.html(h3)"}, "texts", lines("part-*.txt.gz")},
		{[]string{"--save", "csv", "--columns", "url,title=payload.string.html.title"}, "rows", rows},
		{[]string{"--save", "csv", "--columns", "each.url", "--each", "links", "--where", pages}, "rows", rows},
		{[]string{"--save", "csv", "--columns", "each.url", "--each", "links", "--count", "n", "--where", pages}, "rows", rows},
		{[]string{"--save", "csv", "--columns", "each", "--each", "headings", "--where", pages}, "rows", rows},
		{[]string{"--save", "parquet", "--columns", "url,each.url", "--each", "links", "--where", pages}, "rows", parquetRows},
		{[]string{"--save", "parquet", "--columns", "host", "--count", "n"}, "rows", parquetRows},
	} {
		for _, small := range []string{"64MB", "0"} {
			s := selectTo(t, append([]string{"--cdx", index, "--archives", smallArchives, "--small", small}, test.args...)...)
			m := regexp.MustCompile(`(\d+) ` + test.thing + `\b`).FindStringSubmatch(s.messages)
			if m == nil {
				t.Errorf("%q, small %s: no %s are told: %s", test.args, small, test.thing, s.messages)
				continue
			}
			if said, _ := strconv.Atoi(m[1]); said != test.count(s) || said == 0 {
				t.Errorf("%q, small %s: %d %s of which %d can be counted: %s", test.args, small, said, test.thing, test.count(s), s.messages)
			}
		}
	}
}

func archiveFiles(s *selected) int {
	names, err := filepath.Glob(filepath.Join(s.dir, "SELECT-*"))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(names)
}

// recordsOf counts the records but for the header record of each file.
func recordsOf(s *selected) int {
	names, _ := filepath.Glob(filepath.Join(s.dir, "SELECT-*"))
	n := 0
	for _, name := range names {
		n += len(readOurs(s.t, s.dir, filepath.Base(name))) - 1
	}
	return n
}

func parquetRows(s *selected) int {
	names, err := filepath.Glob(filepath.Join(s.dir, "part-*.parquet"))
	if err != nil {
		s.t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			s.t.Fatal(err)
		}
		n += int(f.NumRows())
	}
	return n
}
