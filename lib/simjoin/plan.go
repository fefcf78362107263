package simjoin

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"archivestream/lib/coverage"
	"archivestream/lib/storage"
)

// PlanOptions say which blocks there are.
type PlanOptions struct {
	Blocks string // folder of the blocks that have not been compared yet
	Old    string // folder of those that have been compared with each other; empty: none
	Limit  int64  // shingles that are looked up in one task
}

// Plan writes the tasks of join-sets: the block to index and those to look up in it,
// the longest task first. Both folders have a blocks.tsv.
func Plan(w io.Writer, r *coverage.Relation, o PlanOptions) error {
	blocks, err := readFolder(o.Blocks, false)
	if err != nil {
		return err
	}
	if o.Old != "" {
		old, err := readFolder(o.Old, true)
		if err != nil {
			return err
		}
		blocks = append(blocks, old...)
	}
	var tasks []joinTask
	for i := range blocks {
		tasks = append(tasks, tasksOf(&blocks[i], blocks, r, o.Limit)...)
	}
	slices.SortStableFunc(tasks, func(x, y joinTask) int { return cmp.Compare(y.shingles, x.shingles) })
	out := bufio.NewWriter(w)
	for _, t := range tasks {
		out.WriteString(t.indexed)
		for _, path := range t.lookedUp {
			out.WriteString("\t" + path)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

type plannedBlock struct {
	blockInfo
	path string
	old  bool
}

func readFolder(folder string, old bool) ([]plannedBlock, error) {
	infos, err := blocksOf(storage.Join(folder, "blocks.tsv"))
	if err != nil {
		return nil, err
	}
	var blocks []plannedBlock
	for _, b := range infos {
		blocks = append(blocks, plannedBlock{b, storage.Join(folder, b.name), old})
	}
	return blocks, nil
}

type joinTask struct {
	indexed  string
	lookedUp []string
	shingles int64
}

// tasksOf gives the tasks in which a block is indexed.
func tasksOf(x *plannedBlock, blocks []plannedBlock, r *coverage.Relation, limit int64) []joinTask {
	var tasks []joinTask
	t := joinTask{indexed: x.path}
	for i := range blocks {
		y := &blocks[i]
		if x.old && y.old || !canMeet(&x.blockInfo, &y.blockInfo, r) {
			continue
		}
		if t.shingles > 0 && t.shingles+y.shingles > limit {
			tasks = append(tasks, t)
			t = joinTask{indexed: x.path}
		}
		t.lookedUp = append(t.lookedUp, y.path)
		t.shingles += y.shingles
	}
	if len(t.lookedUp) > 0 {
		tasks = append(tasks, t)
	}
	return tasks
}

// canMeet says whether a set of y can have a partner in x that is not larger.
func canMeet(x, y *blockInfo, r *coverage.Relation) bool {
	if x.maxGroup < y.minGroup || y.maxGroup < x.minGroup || x.minSize > y.maxSize {
		return false
	}
	// The two sizes that are closest to each other.
	smaller := min(x.maxSize, y.maxSize)
	larger := max(smaller, y.minSize)
	return r.Needed(smaller, larger) <= smaller
}

// Describe writes what there is to join, for a person.
func Describe(w io.Writer, folder string) error {
	infos, err := blocksOf(storage.Join(folder, "blocks.tsv"))
	if err != nil {
		return err
	}
	var sum blockInfo
	for _, b := range infos {
		sum.sets += b.sets
		sum.shingles += b.shingles
		sum.documents += b.documents
	}
	_, err = fmt.Fprintf(w, "%d documents with %d different sets of %d shingles, in %d blocks\n", sum.documents, sum.sets, sum.shingles, len(infos))
	return err
}
