package simjoin

import (
	"bytes"
	"fmt"
	"io"

	"archivestream/lib/coverage"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// Join is the mapper that compares blocks: a line is the path of the block that is
// indexed and the paths of those that are looked up in it, separated by tabs. It
// writes edges: covered, covering, similarity.
func Join(t *stage.Task, r *coverage.Relation) error {
	j := &joiner{task: t, relation: r, edges: edgeWriter{task: t, relation: r}}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		if err := j.join(stage.Fields(nil, line, 0)); err != nil {
			return err
		}
	}
	return nil
}

type joiner struct {
	task     *stage.Task
	relation *coverage.Relation
	edges    edgeWriter
}

func (j *joiner) join(paths [][]byte) error {
	x, err := loadIndex(string(paths[0]), j.relation)
	if err != nil {
		return err
	}
	p := newProber(x, j.edges.pair)
	for n, path := range paths[1:] {
		j.task.Status("block %d of %d looked up", n+1, len(paths)-1)
		if err := j.lookUp(p, string(path), bytes.Equal(path, paths[0])); err != nil {
			return err
		}
	}
	j.task.Count("shingles looked up", p.work.lookups)
	j.task.Count("postings visited", p.work.visits)
	j.task.Count("candidates", p.work.candidates)
	j.task.Count("candidates compared", p.work.compared)
	j.task.Count("pairs of sets", p.work.pairs)
	j.task.Count("edges found", j.edges.count)
	j.edges.count = 0
	return nil
}

// lookUp streams a block past the index. own says that it is the indexed one.
func (j *joiner) lookUp(p *prober, name string, own bool) error {
	in, err := openBlock(name)
	if err != nil {
		return err
	}
	defer in.close()
	if in.width != p.index.width {
		return fmt.Errorf("%s: %d bits per shingle, %s has %d", name, 64*in.width, p.index.base, 64*p.index.width)
	}
	var y record
	var members []member
	base := in.base()
	for place := 0; ; place++ {
		if err := in.next(&y); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if members, err = appendMembers(members[:0], y.members, y.count, p.index.values); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if own {
			if err := j.edges.within(members, y.size); err != nil {
				return err
			}
		}
		if err := p.lookUp(&y, base, place, members); err != nil {
			return err
		}
	}
}

// An edgeWriter writes the edges of pairs of sets.
type edgeWriter struct {
	task     *stage.Task
	relation *coverage.Relation
	count    int64
	line     []byte
}

// pair writes the edges between the documents of two sets.
func (w *edgeWriter) pair(p pair) error {
	for i := range p.x {
		for j := range p.y {
			if p.coversX {
				if err := w.edge(&p.x[i], &p.y[j], p.shared, p.sizeX, p.sizeY); err != nil {
					return err
				}
			}
			if p.other {
				if err := w.edge(&p.y[j], &p.x[i], p.shared, p.sizeY, p.sizeX); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// within writes the edges between documents of one set.
func (w *edgeWriter) within(members []member, size int) error {
	for i := range members {
		for j := range members {
			if i == j {
				continue
			}
			if err := w.edge(&members[i], &members[j], size, size, size); err != nil {
				return err
			}
		}
	}
	return nil
}

// edge writes that b covers a, if their metadata allow it.
func (w *edgeWriter) edge(a, b *member, shared, sizeA, sizeB int) error {
	if !w.relation.Holds(a.values, b.values) || bytes.Equal(a.id, b.id) {
		return nil
	}
	return w.write(a.id, b.id, shared, sizeA, sizeB)
}

func (w *edgeWriter) write(covered, covering []byte, shared, sizeA, sizeB int) error {
	w.count++
	line := append(w.line[:0], covered...)
	line = append(append(line, '\t'), covering...)
	line = w.relation.AppendSimilarity(append(line, '\t'), shared, sizeA, sizeB)
	w.line = line
	return w.task.Write(line)
}

// ListEdges is the reducer that writes each edge once. Where texts of one id gave
// several, the greatest similarity counts. Its input lines are sorted as a whole.
func ListEdges(t *stage.Task) error {
	var last []byte
	edge := func(line []byte) []byte { return line[:max(0, bytes.LastIndexByte(line, '\t'))] }
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte{'\t'})
		if last != nil && !bytes.Equal(edge(line), edge(last)) {
			if err := t.Write(last); err != nil {
				return err
			}
			t.Count("edges", 1)
		}
		last = append(last[:0], line...)
	}
	if last == nil {
		return nil
	}
	t.Count("edges", 1)
	return t.Write(last)
}

// blocksOf reads lists of blocks; the paths are those of the lists' folders.
func blocksOf(name string) ([]blockInfo, error) {
	f, err := storage.OpenStream(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var all []blockInfo
	for line := range bytes.Lines(content) {
		b, err := parseBlockInfo(bytes.TrimSuffix(line, []byte{'\n'}))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, b)
	}
	return all, nil
}
