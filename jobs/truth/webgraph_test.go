package truth

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A ranked is a run of webgraph.sh, as webgraph.py is told of it.
type ranked struct {
	Name       string   `json:"name"`
	Output     string   `json:"output"`
	WATs       []string `json:"wats"`
	Lines      []string `json:"lines"`
	Level      string   `json:"level"`
	Links      string   `json:"links"`
	NoFollow   string   `json:"nofollow"`
	Weights    bool     `json:"weights"`
	Ranks      bool     `json:"ranks"`
	Iterations int      `json:"iterations"`
	Tolerance  int      `json:"tolerance"`
	Exact      int      `json:"exact"`
	inputs     []string
	reducers   string
}

// TestTruthWebgraph holds the graphs of the links in all archives, and their ranks,
// against Python, networkx and SciPy: of WAT files, of archives by their WAT files
// (which have a test of their own), and of link lines.
func TestTruthWebgraph(t *testing.T) {
	folder := theArchives(t)
	var wats, others []string
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		switch name := strings.TrimSuffix(f.Name(), ".gz"); filepath.Ext(name) {
		case ".wat":
			wats = append(wats, path)
		case ".warc", ".arc":
			others = append(others, path)
		}
	}
	args := []string{"--make", "wat,links"}
	for _, path := range others {
		args = append(args, "--input", path)
	}
	derived := run(t, "derive.sh", args...)
	comparisons(t, asked(t, "", "linklines.py", derived))
	made, err := filepath.Glob(filepath.Join(derived, "wat", "*.wat.gz"))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := filepath.Glob(filepath.Join(derived, "links", "*.links.gz"))
	if err != nil {
		t.Fatal(err)
	}
	runs := []ranked{
		{Name: "wats", WATs: wats, inputs: wats, Weights: true},
		{Name: "archives", WATs: made, inputs: others, Ranks: true, Links: "all", Weights: true, Exact: 1 << 20, Tolerance: 12},
		{Name: "archives as their wats", WATs: made, inputs: made, Links: "requisites"},
		{Name: "lines", Lines: lines, inputs: lines, Ranks: true, NoFollow: "drop", reducers: "3"},
		{Name: "domains", Lines: lines, inputs: lines, Ranks: true, Level: "domain", Links: "all", Weights: true, Exact: 1 << 20, Iterations: 3},
	}
	for i := range runs {
		runs[i].make(t)
	}
	held(t, "webgraph.py", runs)
}

// make runs the job; options that are not set have their defaults.
func (r *ranked) make(t *testing.T) {
	t.Helper()
	var args []string
	text := func(name string, value *string, standard string) {
		if *value == "" {
			*value = standard
		} else {
			args = append(args, name, *value)
		}
	}
	number := func(name string, value *int, standard int) {
		if *value == 0 {
			*value = standard
		} else {
			args = append(args, name, strconv.Itoa(*value))
		}
	}
	text("--level", &r.Level, "host")
	text("--links", &r.Links, "hyperlinks")
	text("--nofollow", &r.NoFollow, "keep")
	text("--reducers", &r.reducers, "1")
	number("--iterations", &r.Iterations, 100)
	number("--tolerance", &r.Tolerance, 7)
	number("--exact", &r.Exact, 64)
	if r.Weights {
		args = append(args, "--weights")
	}
	if !r.Ranks {
		args = append(args, "--no-ranks")
	}
	for _, path := range r.inputs {
		args = append(args, "--input", path)
	}
	r.Output = run(t, "webgraph.sh", args...)
}
