package zipnum

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/stage"
	"archivestream/lib/surt"
)

// lookUp runs the stage and gives its output and what it said.
func lookUp(t testing.TB, o LookupOptions, input ...string) (status int, out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := stage.Command{Name: "lookup-cdx", Run: func(task *stage.Task) error { return Lookup(task, o) }}
	status = stage.Execute(command, []string{"lookup-cdx"}, strings.NewReader(strings.Join(input, "\n")), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// wantLookup compares what the stage finds.
func wantLookup(t *testing.T, o LookupOptions, input []string, want ...string) {
	t.Helper()
	status, out, said := lookUp(t, o, input...)
	got := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if out == "" {
		got = nil
	}
	if diff := cmp.Diff(want, got); diff != "" || status != 0 {
		t.Errorf("%+v of %q: status %d, -want +got\n%s%s", o, input, status, diff, said)
	}
}

var captures = []string{
	"com,example)/ 20180101000000 {1}",
	"com,example)/ 20190101000000 {2}",
	"com,example)/ 20200101000000 {3}",
	"com,example)/ 20200101000000 {4}",
	"com,example)/a 20190601000000 {5}",
	"com,example)/a/b 20190701000000 {6}",
	"com,example)/ab 20190801000000 {7}",
	"com,example,sub)/ 20190901000000 {8}",
	"com,examples)/ 20191001000000 {9}",
}

func TestLookup(t *testing.T) {
	all := captures
	root := all[:4]
	cases := []struct {
		options LookupOptions
		input   []string
		want    []string
	}{
		{LookupOptions{}, []string{"http://example.com/"}, root},
		{LookupOptions{}, []string{"http://example.com/a\r", "", "http://nothing.example/", "http://example.com/ab"}, []string{all[4], all[6]}},
		{LookupOptions{}, []string{"http://example.com/a*"}, all[4:7]},
		{LookupOptions{}, []string{"http://example.com/*"}, all[:7]},
		{LookupOptions{}, []string{"*.example.com"}, all[:8]},
		{LookupOptions{Match: surt.Prefix}, []string{"http://example.com/a/"}, all[4:6]},
		{LookupOptions{Match: surt.Host}, []string{"http://example.com/a/b"}, all[:7]},
		{LookupOptions{Match: surt.Domain}, []string{"http://example.com/a/b"}, all[:8]},
		{LookupOptions{Match: surt.Exact}, []string{"http://example.com/a*"}, nil},
		{LookupOptions{From: "2019"}, []string{"http://example.com/"}, all[1:4]},
		{LookupOptions{To: "2019"}, []string{"http://example.com/"}, all[:2]},
		{LookupOptions{From: "20190101000000", To: "20190101000000"}, []string{"http://example.com/"}, all[1:2]},
		{LookupOptions{From: "201907", To: "201908"}, []string{"http://example.com/*"}, all[5:7]},
		{LookupOptions{From: "2021"}, []string{"http://example.com/"}, nil},
		{LookupOptions{Limit: 2}, []string{"http://example.com/", "http://example.com/*"}, []string{all[0], all[1], all[0], all[1]}},
		{LookupOptions{Closest: "2019"}, []string{"http://example.com/"}, []string{all[2], all[3], all[1], all[0]}},
		{LookupOptions{Closest: "29991231235959", Limit: 1}, []string{"http://example.com/", "http://example.com/a"}, []string{all[2], all[4]}},
		{LookupOptions{Closest: "20180201", Limit: 2, To: "2019"}, []string{"http://example.com/"}, all[:2]},
		{LookupOptions{Keys: true}, []string{"com,example)/a\thttp://example.com/a", "com,example)/a/*"}, []string{all[4], all[5]}},
		{LookupOptions{Keys: true, Match: surt.Prefix}, []string{"com,example"}, all},
		{LookupOptions{Keys: true, Match: surt.Host}, []string{"com,example)/a"}, all[:7]},
		{LookupOptions{Keys: true, Match: surt.Domain}, []string{"com,example)/a", "com"}, append(slices.Clone(all[:8]), all...)},
	}
	plain := writeFile(t, t.TempDir(), "a.cdxj", strings.Join(all, "\n"))
	halves := t.TempDir()
	var odd, even []string
	for i, line := range all {
		if i%2 == 0 {
			even = append(even, line)
		} else {
			odd = append(odd, line)
		}
	}
	writeFile(t, halves, "1.cdxj", strings.Join(odd, "\n"))
	writeFile(t, halves, "2.cdxj", strings.Join(even, "\n"))
	zip := cluster(t, WriterOptions{Lines: 2}, all[:3], all[3:])
	for name, indexes := range map[string][]string{
		"cluster": {zip}, "plain": {plain}, "folder": {halves}, "glob": {filepath.Join(halves, "*.cdxj")},
		"both": {cluster(t, WriterOptions{Lines: 1}, odd), filepath.Join(halves, "2.cdxj")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				c.options.Indexes = indexes
				wantLookup(t, c.options, c.input, c.want...)
			}
		})
	}
}

func TestLookupTells(t *testing.T) {
	dir := cluster(t, WriterOptions{Lines: 2}, captures)
	spoil(t, filepath.Join(dir, "cdx-00000.gz"), func(b []byte) []byte { b[20] ^= 0xff; return b })
	status, out, said := lookUp(t, LookupOptions{Indexes: []string{dir}, Missing: true}, "http://example.com/", "http://example.org/", "http://example.com/ab")
	if want := captures[2] + "\n" + captures[3] + "\n" + captures[6] + "\n"; out != want || status != 0 {
		t.Errorf("status %d, -want +got\n%s", status, cmp.Diff(want, out))
	}
	for _, want := range []string{
		"lookup-cdx\tcdx-00000.gz at 0: ", "\thttp://example.com/\n", "lookup-cdx\tno capture\thttp://example.org/\n",
		"lookup-cdx,captures,3\n", "lookup-cdx,found,2\n", "lookup-cdx,without a capture,1\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	for want, o := range map[string]LookupOptions{
		`--match "near": exact, prefix, host or domain is wanted`: {Match: "near"},
		`timestamp "2020-01": up to 14 digits are wanted`:         {From: "2020-01"},
		`timestamp "202001010000001": up to 14 digits`:            {Closest: "202001010000001"},
		`--limit -1: a number from 0 is wanted`:                   {Limit: -1},
		`--index PATH is needed`:                                  {Indexes: nil, Keys: true},
	} {
		if !strings.Contains(want, "--index") {
			o.Indexes = []string{dir}
		}
		if status, _, said := lookUp(t, o, ""); status != 2 || !strings.Contains(said, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, said)
		}
	}
	if status, _, said := lookUp(t, LookupOptions{Indexes: []string{dir, filepath.Join(dir, "gone")}}, ""); status != 1 || !strings.Contains(said, "gone") {
		t.Errorf("status %d\n%s", status, said)
	}
}

// TestSeconds has warcio's own examples of timestamps that lack digits or have
// wrong ones.
func TestSeconds(t *testing.T) {
	for timestamp, want := range map[string]int64{
		"20131226095010": 1388051410, "2014": 1420070399, "2014122609501011": 1419587410, "201410": 1414799999,
		"20131709005601": 1386550561, "2010abc": 1293839999, "": 32503679999, "18991231": -2177452801, "40001965252477": 32503677899,
	} {
		if got := seconds([]byte(timestamp)); got != want {
			t.Errorf("%q: %d, want %d", timestamp, got, want)
		}
	}
}

// TestPywbAnswersTheSame asks pywb the same queries over the same clusters.
func TestPywbAnswersTheSame(t *testing.T) {
	python := pythonTools(t)
	urls := []string{
		"http://host1.org/", "http://host2.org/page3", "http://host4.org/page16", "http://host0.org/page0", "http://host1.org/page1",
		"http://nothing.org/", "http://aaa.com/", "http://zzz.zz/", "http://sub1.host1.org/page?a=2", "*.host1.org", "http://host3.org/*", "http://host3.org/page1*",
	}
	times := []map[string]string{
		{}, {"limit": "3"}, {"from": "2005"}, {"to": "200812"}, {"from": "20040101", "to": "20120630"},
		{"closest": "20100101000000"}, {"closest": "2010", "limit": "5"}, {"closest": "20031231", "limit": "1"}, {"closest": "29991231235959", "limit": "2", "to": "2011"},
	}
	lines := webLines(3000)
	for name, path := range map[string]string{
		"blocks of 1":    cluster(t, WriterOptions{Lines: 1}, lines[:40]),
		"blocks of 7":    cluster(t, WriterOptions{Lines: 7}, lines[:500], nil, lines[500:501], lines[501:]),
		"blocks of 100":  cluster(t, WriterOptions{Lines: 100}, lines[:1000], lines[1000:]),
		"blocks of 3000": cluster(t, WriterOptions{}, lines),
	} {
		t.Run(name, func(t *testing.T) {
			index := filepath.Join(path, "cluster.idx")
			var queries []map[string]string
			var ours []string
			for _, match := range []surt.Match{"", surt.Exact, surt.Prefix, surt.Host, surt.Domain} {
				for _, u := range urls {
					if match != "" && strings.Contains(u, "*") {
						continue
					}
					for _, params := range times {
						query := map[string]string{"url": u, "matchType": string(match)}
						o := LookupOptions{Indexes: []string{index}, Match: match, From: params["from"], To: params["to"], Closest: params["closest"]}
						for k, v := range params {
							query[k] = v
						}
						fmt.Sscan(params["limit"], &o.Limit)
						queries = append(queries, query)
						_, out, _ := lookUp(t, o, u)
						ours = append(ours, out)
					}
				}
			}
			var input bytes.Buffer
			for _, q := range queries {
				if err := json.NewEncoder(&input).Encode(q); err != nil {
					t.Fatal(err)
				}
			}
			answers := strings.Split(said(t, input.String(), python, "-W", "ignore", "testdata/lookup_pywb.py", index), "--\n")
			if len(answers) != len(queries)+1 {
				t.Fatalf("%d answers to %d queries", len(answers)-1, len(queries))
			}
			for i, q := range queries {
				if answers[i] != ours[i] {
					t.Errorf("%v: -pywb +ours\n%s", q, cmp.Diff(answers[i], ours[i]))
				}
			}
			if n := len(strings.Join(ours, "")); n < 10_000 {
				t.Errorf("only %d bytes of answers", n)
			}
		})
	}
}
