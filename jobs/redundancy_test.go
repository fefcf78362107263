package jobs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/corpus"
)

// newRedundancyBench has documents of a collection in documents.json.
func newRedundancyBench(t *testing.T, documents int) *bench {
	t.Helper()
	b := &bench{t, t.TempDir()}
	for _, dir := range []string{"bin", "tmp", "gate"} {
		b.must(os.Mkdir(b.path(dir), 0o777))
	}
	b.must(os.Symlink(filepath.Join(root, "jobs"), b.path("jobs")))
	programs, err := os.ReadDir(filepath.Join(root, "bin"))
	b.must(err)
	for _, program := range programs {
		b.must(os.Symlink(filepath.Join(root, "bin", program.Name()), b.path("bin/"+program.Name())))
	}
	var out bytes.Buffer
	b.must(corpus.MakeDocuments(&out, corpus.DocumentOptions{Documents: documents, Seed: 3, Collection: "A"}))
	b.write("documents.json", out.String()+"no document\n")
	return b
}

// redundancy begins the job; a preset of the paper is the relation.
func (b *bench) redundancy(output string, args ...string) *job {
	b.Helper()
	args = append([]string{"--output", b.path(output), "--documents", b.path("documents.json"), "--preset", "A-1", "--block-size", "300kB"}, args...)
	return b.begin(output, exec.Command(b.path("jobs/redundancy.sh"), args...))
}

// failOnce lets the first attempt of each task of a program end in the middle, by
// kill -9.
func (b *bench) failOnce(program string) {
	b.Helper()
	b.must(os.Rename(b.path("bin/"+program), b.path(program)))
	b.write("bin/"+program, strings.ReplaceAll(`#!/bin/bash
if [[ ${mapreduce_task_attempt_id:-} == *_0 ]]; then
	head -c 20000 | REAL "$@" | head -c 3000
	kill -9 $$
fi
exec REAL "$@"
`, "REAL", b.path(program)))
	b.must(os.Chmod(b.path("bin/"+program), 0o777))
}

// TestRedundancyIsReproducible runs the job in ways that must not change its edges.
func TestRedundancyIsReproducible(t *testing.T) {
	t.Parallel()
	b := newRedundancyBench(t, 400)
	b.end(b.redundancy("once"), 0)
	want := b.tree("once")
	if n := strings.Count(want["edges/part-00000"], "\n"); n < 150 {
		t.Errorf("only %d edges", n)
	}
	if n := strings.Count(want["sets/blocks.tsv"], "\n"); n < 3 {
		t.Errorf("only %d blocks", n)
	}
	b.end(b.redundancy("maps", "--maps", "5"), 0)
	b.same("5 maps", want, b.tree("maps"))
	b.end(b.redundancy("count", "--join", "count"), 0)
	b.same("the paper's join", want["edges/part-00000"], b.tree("count")["edges/part-00000"])
	b.failOnce("shingle-documents")
	b.failOnce("order-sets")
	b.failOnce("join-sets")
	b.failOnce("group-sets")
	b.end(b.redundancy("killed", "-D", "mapreduce.job.maps=3"), 0)
	b.same("tasks killed", want, b.tree("killed"))
	if n := b.description("killed").Counters["join"]["Job Counters"]["Failed map tasks"]; n < 1 {
		t.Error("no task was killed")
	}
}

// TestHadoopRedundancy compares what Hadoop makes, with tasks killed on the way, with
// what the embedded engine makes.
func TestHadoopRedundancy(t *testing.T) {
	t.Parallel()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	t.Parallel()
	c := &cluster{newRedundancyBench(t, 400)}
	c.end(c.redundancy("local", "--reducers", "2"), 0)
	c.hadoop("hdfs", "dfs", "-mkdir", "-p", c.dir)
	c.Cleanup(func() { hadoop("hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", c.dir).Run() })
	c.hadoop("hdfs", "dfs", "-put", c.path("documents.json"), c.dir)
	c.failOnce("shingle-documents")
	c.failOnce("join-sets")
	args := []string{c.path("jobs/redundancy.sh"), "--engine", "hadoop", "--output", c.path("there"), "--documents", c.path("documents.json"),
		"--preset", "A-1", "--block-size", "300kB", "--reducers", "2"}
	c.end(c.begin("there", hadoop(args...), "LC_ALL=C"), 0)
	got := c.fetch("there")
	c.same("output", c.tree("local"), got)
	if n := c.description("fetched/there").Counters["join"]["Job Counters"]["Failed map tasks"]; n < 1 {
		t.Error("no task was killed")
	}
}
