package mapeval_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/mapeval"
	"archivestream/lib/stage"
)

// execute runs a stage and gives its status, its lines, sorted, and what it says.
func execute(t *testing.T, input string, f func(*stage.Task) error) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := stage.Command{Name: "test", Summary: "test", Run: f}
	status = stage.Execute(c, []string{"test", "--output", t.TempDir()}, strings.NewReader(input), &stdout, &stderr)
	lines := slices.Sorted(strings.Lines(stdout.String()))
	return status, strings.Join(lines, ""), stderr.String()
}

func TestTruth(t *testing.T) {
	const index = "com,a)/?x 20200101000000 http://a.com/?x text/html 200 SHA - - 10 7 a.warc.gz\n" +
		`com,a)/b 20200101000000 {"url": "http://a.com/b", "status": "404", "offset": "7", "filename": "a.warc.gz"}` + "\n" +
		"a.com/c 20200101000000 http://a.com/c text/html 200 SHA - - 10 7 a.warc.gz\n"
	const holdings = "!context [\"https://git.io/mementomap\"]\ncom,a) 5/3\ncom,a)/none 0\ncom,b)/x 12345678901234/2 {\"since\": 1996}\n"
	for _, c := range []struct {
		name, input string
		options     mapeval.TruthOptions
		want, said  string
	}{
		{"uris", "lookup\tcom,a)/?x\n" + index, mapeval.TruthOptions{}, "com,a)/?x\tl\ncom,a)/?x\tt\t1\ncom,a)/b\tt\t1\ncom,a)/c\tt\t1\n", ""},
		{"keys", "lookup\tcom,a)/?x\n" + index, mapeval.TruthOptions{ByKey: true}, "com,a)\tl\ncom,a)\tt\t1\ncom,a)/b\tt\t1\ncom,a)/c\tt\t1\n", ""},
		{"condition", index, mapeval.TruthOptions{Where: "status == 404"}, "com,a)/b\tt\t1\n", ""},
		{"map", holdings, mapeval.TruthOptions{ByKey: true}, "com,a)\tt\t3\ncom,b)/x\tt\t2\n", ""},
		{"map by URI", "com,a)/b 5\n", mapeval.TruthOptions{}, "", "a map knows no queries"},
		{"wildcard", "com,a)/* 5\n", mapeval.TruthOptions{ByKey: true}, "", "a wildcard does not tell"},
		{"nonsense", "nonsense\n", mapeval.TruthOptions{}, "", "neither four fields"},
	} {
		status, out, errs := execute(t, c.input, func(task *stage.Task) error { return mapeval.Truth(task, c.options) })
		if diff := cmp.Diff(c.want, out); status != 0 || diff != "" || !strings.Contains(errs, c.said) {
			t.Errorf("%s: status %d, %s\n%s", c.name, status, errs, diff)
		}
	}
	if status, _, errs := execute(t, index, func(task *stage.Task) error { return mapeval.Truth(task, mapeval.TruthOptions{Where: "status =="}) }); status != 2 {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestMeet(t *testing.T) {
	const input = "a\tl\na\tl\na\tt\t1\na\tt\t1\nb\tl\nc\tt\t7\n"
	status, out, errs := execute(t, input, mapeval.Meet)
	if status != 0 || out != "a\t2\t1\nb\t1\t0\n" {
		t.Errorf("status %d, %q", status, out)
	}
	for _, count := range []string{"lookups,3", "present,2", "uris,8"} {
		if !strings.Contains(errs, count) {
			t.Errorf("%s is missing: %s", count, errs)
		}
	}
}

func TestWeights(t *testing.T) {
	got, err := mapeval.ParseWeights("1,4,0.25,inf,1")
	if diff := cmp.Diff([]float64{math.Inf(1), 4, 1, 0.25}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, bad := range []string{"", "1,", "-1", "x"} {
		if w, err := mapeval.ParseWeights(bad); err == nil {
			t.Errorf("%q: %v", bad, w)
		}
	}
	if name := mapeval.GridName(math.Inf(1), 0.25); name != "hinf-p0.25.ukvs" {
		t.Error(name)
	}
}

// FuzzLines gives each stage any lines: it ends, and where it fails it says why.
func FuzzLines(f *testing.F) {
	f.Add("lookup\tcom,a)/\ncom,a)/ 5/3\ncom,a)/ 20200101000000 http://a.com/ text/html 200 SHA - - 10 7 a.warc.gz\n")
	f.Add("a\tl\na\tt\t1\nb\tt\tx\n")
	f.Add("map\t00001\th4-p2.ukvs\t3 55 6 3 4 3\nmap\t00002\tx\t1 2 3 4 5 6\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, run := range []func(*stage.Task) error{
			func(task *stage.Task) error { return mapeval.Truth(task, mapeval.TruthOptions{}) },
			func(task *stage.Task) error { return mapeval.Truth(task, mapeval.TruthOptions{ByKey: true}) },
			mapeval.Meet,
			func(task *stage.Task) error { return mapeval.Write(task, "Test", 7) },
		} {
			if status, _, errs := execute(t, text, run); status != 0 && !strings.Contains(errs, "test: error: ") {
				t.Fatalf("status %d: %s", status, errs)
			}
		}
	})
}
