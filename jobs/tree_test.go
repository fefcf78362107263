package jobs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/suite"
)

// layers are the packages of lib from the ground up. A package may import those
// of lower layers and its own.
var layers = map[string]int{
	"buffers": 0, "storage": 0, "lines": 0, "inputs": 0, "inflate": 0, "soft404": 0, "soft404/training": 1, "stage": 1, "stage/stagetest": 2, "engine": 1, "jobfiles": 3,
	"cdx": 2, "identify": 2, "ranges": 2, "warc": 2, "surt": 2, "surt/surttest": 2, "zipnum": 2, "cctable": 2,
	"report": 0, "report/reporttest": 1, "tally": 2, "summary": 3, "profile": 3,
	"hostname": 1,
	"corpus":   3, "extract": 3, "index": 3, "where": 3, "realdata": 3,
	"mementomap": 4, "mapeval": 5,
	"graph": 3, "cover": 4,
	"webgraph":  2,
	"derive":    4,
	"selection": 4,
	"charset":   0, "webpage": 0, "payload": 1, "language": 0, "pdftext": 0, "enrich": 4,
	"documents": 2, "coverage": 3, "simjoin": 4,
	"suite": 6, "manuals": 7,
}

// atTheTop are the files and folders that the project's folder holds.
var atTheTop = []string{
	"mappers", "reducers", "jobs", "lib", "scripts", "testdata",
	"go.mod", "go.sum", "Makefile", "README.md", "CHANGELOG.md",
}

// TestTreeIsFixedAtTheTop looks at what is kept, not at what lies around.
func TestTreeIsFixedAtTheTop(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a checkout of git, which knows the files of the project")
	}
	kept, err := exec.Command("git", "-C", root, "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for name := range strings.Lines(string(kept)) {
		top, _, _ := strings.Cut(strings.TrimSuffix(name, "\n"), "/")
		seen[top] = true
		if !slices.Contains(atTheTop, top) && !strings.HasPrefix(top, ".") {
			t.Errorf("%s does not belong into the project's folder", top)
		}
	}
	for _, name := range atTheTop {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// mains gives the folders of all main packages, relative to root.
func mains(t *testing.T) []string {
	var dirs []string
	for _, pattern := range []string{"mappers/*/main.go", "reducers/*/main.go", "jobs/*/main.go", "scripts/*/main.go"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			rel, err := filepath.Rel(root, filepath.Dir(f))
			if err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, rel)
		}
	}
	sort.Strings(dirs)
	return dirs
}

func TestProgramNamesAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, dir := range mains(t) {
		if other, ok := seen[filepath.Base(dir)]; ok {
			t.Errorf("%s and %s have the same name", dir, other)
		}
		seen[filepath.Base(dir)] = dir
	}
	if len(seen) == 0 {
		t.Fatal("no programs found")
	}
}

// TestMainsHaveANameAndACall lets main packages say what they are called and no more.
func TestMainsHaveANameAndACall(t *testing.T) {
	for _, dir := range mains(t) {
		name := filepath.Join(root, dir, "main.go")
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if want := "Command " + filepath.Base(dir) + " "; !strings.HasPrefix(file.Doc.Text(), want) {
			t.Errorf("%s: the comment does not begin with %q", dir, want)
		}
		if strings.HasPrefix(dir, "scripts/") {
			continue // of developers
		}
		if n := len(file.Decls); n != 2 {
			t.Errorf("%s: %d declarations, expected imports and main: logic belongs into lib", dir, n)
		}
		if f, ok := file.Decls[len(file.Decls)-1].(*ast.FuncDecl); !ok || len(f.Body.List) != 1 {
			t.Errorf("%s: main is not a single call", dir)
		}
	}
}

// TestSuiteHasAllPrograms holds what bin/archivestream is against the main packages.
func TestSuiteHasAllPrograms(t *testing.T) {
	want := map[string]bool{}
	for _, dir := range mains(t) {
		if name := filepath.Base(dir); !strings.HasPrefix(dir, "scripts/") && name != "archivestream" {
			want[name] = true
		}
	}
	got := map[string]bool{}
	for _, f := range suite.Families {
		for _, job := range f.Jobs {
			if _, err := os.Stat(filepath.Join(root, "jobs", job+".sh")); err != nil {
				t.Error(err)
			}
		}
		for _, p := range f.Programs {
			if got[p.Name] {
				t.Errorf("%s is listed twice", p.Name)
			}
			got[p.Name] = true
			if p.Command != nil && p.Command().Name != p.Name {
				t.Errorf("%s calls itself %s", p.Name, p.Command().Name)
			}
			if p.Summary() == "" {
				t.Errorf("%s has no summary", p.Name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("main packages and what the suite lists (-want +got):\n%s", diff)
	}
}

// TestImportsPointDownwards keeps stages out of lib and lower layers from
// knowing higher ones.
func TestImportsPointDownwards(t *testing.T) {
	var unknown []string
	err := filepath.WalkDir(filepath.Join(root, "lib"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, _ := filepath.Rel(filepath.Join(root, "lib"), filepath.Dir(path))
		own, known := layers[rel]
		if !known {
			unknown = append(unknown, rel)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			other, ours := strings.CutPrefix(name, "archivestream/")
			if !ours {
				continue
			}
			other, inLib := strings.CutPrefix(other, "lib/")
			if !inLib || layers[other] > own {
				t.Errorf("lib/%s imports %s", rel, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), unknown); diff != "" {
		t.Errorf("packages without a layer:\n%s", diff)
	}
}
