package graph

import (
	"fmt"

	"archivestream/lib/stage"
)

// A UnionOptions says where UnionEdges finds the graph.
type UnionOptions struct {
	Files    bool   // the lines name files of edges; else they are edges
	Vertices string // file with the names of files of vertices, one a line; or ""
	Limit    int    // of vertices that are held; 0: as many as there can be
}

// UnionEdges is the stage that finds the components of the whole graph with
// union-find. It emits ID TAB LABEL in the order of ids and makes the side file
// _sizes/part-NNNNN.tsv.
func UnionEdges(t *stage.Task, o UnionOptions) error {
	u := union{task: t, limit: o.Limit}
	if u.limit <= 0 || u.limit > maxVertices {
		u.limit = maxVertices
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if o.Files {
			err = eachLine(t, string(line), u.edge)
		} else {
			err = u.edge(line)
		}
		if err != nil {
			return err
		}
	}
	if err := u.flush(); err != nil {
		return err
	}
	if o.Vertices != "" {
		err := eachLine(t, o.Vertices, func(name []byte) error { return eachLine(t, string(name), u.vertex) })
		if err != nil {
			return err
		}
	}
	t.Count("edges", u.edges)
	return u.write()
}

// batch is how many edges are linked at a time. Looking up many ids one after
// the other lets the processor wait for several places in memory at once.
const batch = 256

type union struct {
	forest
	task  *stage.Task
	limit int
	edges int64
	ends  [2 * batch]uint32
	held  int // of ends
}

func (u *union) edge(line []byte) error {
	a, b, err := cutEdge(line)
	if err != nil {
		return u.task.Reject(err.Error(), line)
	}
	u.edges++
	u.ends[u.held], u.ends[u.held+1] = u.intern(a), u.intern(b)
	if u.held += 2; u.held == len(u.ends) {
		return u.flush()
	}
	return nil
}

func (u *union) flush() error {
	if err := u.check(); err != nil {
		return err
	}
	u.cover()
	for i := 0; i < u.held; i += 2 {
		u.link(u.ends[i], u.ends[i+1])
	}
	u.held = 0
	return nil
}

func (u *union) vertex(line []byte) error {
	id, err := cutVertex(line)
	if err != nil {
		return u.task.Reject(err.Error(), line)
	}
	u.intern(id)
	return u.check()
}

func (u *union) check() error {
	if u.len() > u.limit {
		return stage.Hint(fmt.Errorf("more than %d vertices", u.limit), "with a smaller --one-task the job finds components in rounds, which need less memory")
	}
	return nil
}

func (u *union) write() error {
	u.cover()
	most := u.greatest()
	size := make([]uint32, len(u.parent))
	for _, root := range u.parent {
		size[root]++
	}
	var line []byte
	for _, v := range u.sorted() {
		line = append(u.appendID(line[:0], v), '\t')
		line = u.appendID(line, most[u.parent[v]])
		if err := u.task.Write(line); err != nil {
			return err
		}
	}
	var sizes Sizes
	for _, n := range size {
		if n > 0 {
			sizes.Add(int64(n))
		}
	}
	u.task.Count("vertices", int64(u.len()))
	return sizes.write(u.task)
}
