package jobs

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"archivestream/lib/corpus"
)

// newRedundancyBench has documents of a collection in documents.json.
func newRedundancyBench(t *testing.T, documents int) *bench {
	t.Helper()
	b := newProject(t)
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
	c := onCluster(t, func(t *testing.T) *bench { return newRedundancyBench(t, 400) })
	c.end(c.redundancy("local", "--reducers", "2"), 0)
	c.upload("documents.json")
	c.failOnce("shingle-documents")
	c.failOnce("join-sets")
	c.end(c.launch("there", "redundancy.sh", "--documents", c.path("documents.json"), "--preset", "A-1", "--block-size", "300kB", "--reducers", "2"), 0)
	got := c.fetch("there")
	c.same("output", c.tree("local"), got)
	if n := c.description("fetched/there").Counters["join"]["Job Counters"]["Failed map tasks"]; n < 1 {
		t.Error("no task was killed")
	}
}
