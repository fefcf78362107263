package truth

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A summarized is a run of summary.sh, as summary.py is told of it: what the job is given
// and the files of lines that this is.
type summarized struct {
	Name    string   `json:"name"`
	Output  string   `json:"output"`
	Lines   []string `json:"lines"`
	Samples int      `json:"samples"`
	Hosts   int      `json:"hosts"`
	Title   string   `json:"title"`
	inputs  []string
}

// TestTruthSummary holds the summaries of the index of all archives, in each of its
// forms, and of other programs' indexes against Python.
func TestTruthSummary(t *testing.T) {
	index := indexed(t)
	folder := theArchives(t)
	forms := []summarized{
		{Name: "cdxj", Lines: []string{index}},
		{Name: "three samples", Lines: []string{index}, Samples: 3, Hosts: 40, Title: "Of all & more"},
	}
	lines := strings.SplitAfter(strings.TrimSuffix(read(t, index), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	var halves [2]strings.Builder
	for i, line := range lines {
		halves[i%2].WriteString(line)
	}
	forms = append(forms, summarized{Name: "overlapping files", Lines: []string{file(t, "a.cdxj", halves[0].String()), file(t, "b.cdxj", halves[1].String())}})
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	forms = append(forms, summarized{Name: "not sorted", Lines: []string{file(t, "c.cdxj", strings.Join(lines, ""))}})
	for _, format := range []string{"cdx11", "cdx9"} {
		output := run(t, "index.sh", "--input", folder, "--format", format)
		forms = append(forms, summarized{Name: format, Lines: []string{filepath.Join(output, "index.cdx")}})
	}
	output := run(t, "index.sh", "--input", folder, "--format", "cdxj-all", "--zipnum", "--shards", "3")
	forms = append(forms, summarized{Name: "zipnum", Lines: []string{index}, inputs: []string{filepath.Join(output, "zipnum")}},
		summarized{Name: "folder of index.sh", Lines: []string{index}, inputs: []string{output}})
	others := map[string][]string{}
	for _, path := range foreignIndexes(t) {
		if !timeMap.MatchString(read(t, path)) {
			others[filepath.Ext(path)] = append(others[filepath.Ext(path)], path)
		}
	}
	for ending, files := range others {
		forms = append(forms, summarized{Name: "other programs' " + ending, Lines: files})
	}
	for i := range forms {
		forms[i].make(t)
	}
	held(t, "summary.py", forms)
}

// make runs the job.
func (s *summarized) make(t *testing.T) {
	t.Helper()
	if s.inputs == nil {
		s.inputs = s.Lines
	}
	var args []string
	for _, path := range s.inputs {
		args = append(args, "--input", path)
	}
	if s.Title == "" {
		s.Samples, s.Hosts, s.Title = 10, 10, "Summary of captures"
	} else {
		args = append(args, "--samples", strconv.Itoa(s.Samples), "--top-hosts", strconv.Itoa(s.Hosts), "--title", s.Title, "--maps", "5", "--reducers", "2")
	}
	s.Output = run(t, "summary.sh", args...)
}

// file writes a file of the test.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// timeMap matches what begins like a TimeMap, which is no index: a date, no key.
var timeMap = regexp.MustCompile(`^(![^\n]*\n)*[0-9]{14} `)
