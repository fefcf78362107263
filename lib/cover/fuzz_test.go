package cover

import (
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// Whatever lines come, they make a cover of the documents among them, or a failure
// that says why.
func FuzzSolveComponents(f *testing.F) {
	f.Add("12\t0\t2\texact\t1\t1\n12\t1\t11\t1\t5\n12\t1\t12\t1\t5\n12\t2\t12\n12\t4\t11\t12\t0.9\n")
	f.Add("~b\t1\t~a\t1\t0\tx\n~b\t1\t~b\t2\t0\ty\n~b\t3\t~a\n~b\t4\t~a\t~b\t1\n~b\t4\t~b\t~a\t1\n")
	f.Fuzz(func(t *testing.T, lines string) {
		dir := t.TempDir()
		_, errs, status := try(dir, lines, func(task *stage.Task) error {
			return SolveComponents(task, Options{Limits: Limits{Exact: 5, Steps: 1000}, Edges: 2, Groups: true})
		})
		if status != 0 {
			if !strings.Contains(errs, "error: ") {
				t.Fatalf("status %d without an error: %s", status, errs)
			}
			return
		}
		components := strings.Count(read(t, dir, "components"), "\n")
		if kept := strings.Count(read(t, dir, "cover"), "\n") + strings.Count(read(t, dir, "covered"), "\n"); kept != components {
			t.Fatalf("%d of %d documents are in the result", kept, components)
		}
	})
}

// Every line is a document of the table, or rejected.
func FuzzWeighDocuments(f *testing.F) {
	f.Add("a\t{\"bytes\":1e3,\"meta\":{\"rank\":2}}\n{\"id\":\"x\\ty\",\"url\":\"u\\n\"}\n{}\nx")
	f.Fuzz(func(t *testing.T, lines string) {
		minima := []Minimum{{"meta.rank", 1}, {"url", 2}}
		out, errs, status := try(t.TempDir(), lines, func(task *stage.Task) error { return WeighDocuments(task, "1 / meta.rank + bytes", minima) })
		if status != 0 {
			t.Fatal(errs)
		}
		for line := range strings.Lines(out) {
			f := strings.Split(line, "\t")
			if len(f) != fieldGroups+2 || f[0] == "" {
				t.Fatalf("a document of %d fields: %q", len(f), line)
			}
		}
	})
}
