package jobs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newCoverBench has documents that cover one another and the edges of a graph.
func newCoverBench(t *testing.T) *bench {
	t.Helper()
	b := newProject(t)
	documents, err := exec.Command(tool(t, "make-documents"), "--documents", "400", "--collection", "A").Output()
	b.must(err)
	b.write("input/documents.json", string(documents))
	r := rand.New(rand.NewPCG(1, 2))
	var edges, vertices strings.Builder
	for range 300 {
		fmt.Fprintf(&edges, "%d\tv%d\n", r.IntN(400), r.IntN(400))
	}
	for i := range 100 {
		fmt.Fprintf(&vertices, "%d\n", i)
	}
	b.write("input/edges.tsv", edges.String())
	b.write("input/vertices.tsv", vertices.String())
	return b
}

// killFirst has the first attempt of a program's task number 0 (m: map, r: reduce)
// read some lines and then killed.
func (b *bench) killFirst(program, kind string) {
	b.Helper()
	b.must(os.Remove(b.path("bin/" + program)))
	b.write("bin/"+program, strings.NewReplacer("KIND", kind, "REAL", filepath.Join(root, "bin", program)).Replace(`#!/bin/bash
if [[ ${mapreduce_task_attempt_id-} == *_KIND_000000_0 ]]; then
	head -n 30 | REAL "$@"
	kill -9 $$
fi
exec REAL "$@"
`))
	b.must(os.Chmod(b.path("bin/"+program), 0o777))
}

// The jobs on which tasks are killed, and what they are given.
var coverJobs = map[string][]string{
	"redundancy": {"redundancy.sh", "--documents", "input/documents.json", "--cover", "containment(a, b) >= 0.7 && a.timestamp <= b.timestamp"},
	"components": {"components.sh", "--edges", "input/edges.tsv", "--vertices", "input/vertices.tsv", "--one-task", "0", "--held", "500"},
}

// killTasks has tasks of both jobs killed.
func (b *bench) killTasks() {
	for program, kind := range map[string]string{"span-forest": "m", "link-stars": "r", "solve-components": "r"} {
		b.killFirst(program, kind)
	}
}

// runCover runs one of the jobs on the embedded engine.
func (b *bench) runCover(output, name string) map[string]string {
	b.Helper()
	args := append(b.coverArguments(name), "--output", b.path(output))
	b.end(b.begin(output, exec.Command(args[0], args[1:]...)), 0)
	return b.tree(output)
}

// coverArguments gives the job's command with whole paths.
func (b *bench) coverArguments(name string) []string {
	args := append([]string(nil), coverJobs[name]...)
	args[0] = b.path("jobs/" + args[0])
	for i, a := range args {
		if strings.HasPrefix(a, "input/") {
			args[i] = b.path(a)
		}
	}
	// How many rounds are needed depends on how the edges are split.
	return append(args, "--maps", "2", "--reducers", "2", "--quiet")
}

// Killed tasks leave nothing and double nothing.
func TestCoverAndComponentsWithKilledTasks(t *testing.T) {
	t.Parallel()
	b := newCoverBench(t)
	want := map[string]map[string]string{}
	for name := range coverJobs {
		want[name] = b.runCover(name, name)
	}
	b.killTasks()
	for name := range coverJobs {
		b.same(name, want[name], b.runCover(name+"-killed", name))
	}
	b.same("failed reducers", int64(1), b.description("redundancy-killed").Counters["solve"]["Job Counters"]["Failed reduce tasks"])
	b.same("failed mappers", int64(1), b.description("components-killed").Counters["round-1"]["Job Counters"]["Failed map tasks"])
}
