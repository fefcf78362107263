package simjoin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/coverage"
	"archivestream/lib/stage"
)

// A pipeline runs the stages in this process, with sorts in between.
type pipeline struct {
	*testing.T
	dir      string
	relation *coverage.Relation
	size     int // terms in a shingle
	width    int
	block    int64
	limit    int64
	sample   int // one of so many sets is in it; 0: all
	rejected string
}

// stage runs one and gives its sorted output.
func (p *pipeline) stage(dir, input string, run func(*stage.Task) error) string {
	p.Helper()
	var out, errs bytes.Buffer
	c := stage.Command{Name: "test-stage", Run: run}
	if status := stage.Execute(c, []string{"test-stage", "--output", dir, "--rejects", filepath.Join(p.dir, "rejects")}, strings.NewReader(input), &out, &errs); status != 0 {
		p.Fatalf("%s: %s", p.relation, errs.String())
	}
	if content, err := os.ReadFile(filepath.Join(p.dir, "rejects")); err == nil {
		p.rejected += string(content)
		os.Remove(filepath.Join(p.dir, "rejects"))
	}
	lines := strings.SplitAfter(out.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func (p *pipeline) paths(pattern string) string {
	found, err := filepath.Glob(pattern)
	if err != nil {
		p.Fatal(err)
	}
	slices.Sort(found)
	var b strings.Builder
	for _, name := range found {
		b.WriteString(name + "\n")
	}
	return b.String()
}

// sets makes the ordered blocks of documents below p.dir/name; counts is the file of
// counters of an earlier run, if any.
func (p *pipeline) sets(name, documents, counts string, generation int) string {
	dir := filepath.Join(p.dir, name)
	// Several mappers.
	lines := strings.SplitAfter(documents, "\n")
	shingled := ""
	for i := range 3 {
		part := strings.Join(lines[i*len(lines)/3:(i+1)*len(lines)/3], "")
		shingled += p.stage(dir, part, func(t *stage.Task) error { return ShingleDocuments(t, p.relation, p.size, p.width) })
	}
	sorted := strings.SplitAfter(shingled, "\n")
	slices.Sort(sorted)
	p.stage(dir, strings.Join(sorted, ""), func(t *stage.Task) error {
		return GroupSets(t, GroupOptions{Values: len(p.relation.Attributes()), Width: p.width, BlockSize: p.block, Generation: generation})
	})
	if counts == "" {
		counts = filepath.Join(dir, "_counts")
	}
	infos := p.stage(dir, p.paths(filepath.Join(dir, "_blocks", "*")), func(t *stage.Task) error {
		return OrderSets(t, OrderOptions{Counts: counts, Sample: max(p.sample, 1)})
	})
	os.MkdirAll(filepath.Join(dir, "sets"), 0o777)
	if err := os.WriteFile(filepath.Join(dir, "sets", "blocks.tsv"), []byte(infos), 0o666); err != nil {
		p.Fatal(err)
	}
	return filepath.Join(dir, "sets")
}

// edges joins blocks.
func (p *pipeline) edges(blocks, old string) string {
	var tasks bytes.Buffer
	if err := Plan(&tasks, p.relation, PlanOptions{Blocks: blocks, Old: old, Limit: p.limit}); err != nil {
		p.Fatal(err)
	}
	found := p.stage(p.dir, tasks.String(), func(t *stage.Task) error { return Join(t, p.relation) })
	return p.stage(p.dir, found, ListEdges)
}

// count joins as the paper does.
func (p *pipeline) count(documents string) string {
	lists := p.stage(p.dir, documents, func(t *stage.Task) error { return ListShingles(t, p.relation, p.size, p.width) })
	pairs := p.stage(p.dir, lists, func(t *stage.Task) error { return PairDocuments(t, p.relation) })
	found := p.stage(p.dir, pairs, func(t *stage.Task) error { return CountPairs(t, p.relation) })
	return p.stage(p.dir, found, ListEdges)
}

// A document of a random collection, and what a reference has to know of it.
type document struct {
	id    string
	words []string
	host  string // empty: none
	time  int    // negative: none
}

func (d *document) json() string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":%q,"text":%q`, d.id, strings.Join(d.words, " "))
	if d.host != "" {
		fmt.Fprintf(&b, `,"hostname":%q`, d.host)
	}
	if d.time >= 0 {
		fmt.Fprintf(&b, `,"timestamp":%d`, d.time)
	}
	return b.String() + "}\n"
}

// shingles gives the document's set.
func (d *document) shingles(size int) map[string]bool {
	set := map[string]bool{}
	if n := len(d.words); n > 0 && n < size {
		set[strings.Join(d.words, " ")] = true
	}
	for i := 0; i+size <= len(d.words); i++ {
		set[strings.Join(d.words[i:i+size], " ")] = true
	}
	return set
}
