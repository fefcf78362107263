package graph

// A forest is union-find over interned ids: each tree is a part of the graph that
// the edges seen so far connect.
type forest struct {
	interner
	parent []uint32
}

// cover makes places for the vertices that are new.
func (f *forest) cover() {
	for i := len(f.parent); i < len(f.ids); i++ {
		f.parent = append(f.parent, uint32(i))
	}
}

func (f *forest) reset() {
	f.interner.reset()
	f.parent = f.parent[:0]
}

// find gives the root of a vertex and halves the way to it.
func (f *forest) find(v uint32) uint32 {
	p := f.parent
	for p[v] != v {
		p[v] = p[p[v]]
		v = p[v]
	}
	return v
}

// link joins the trees of two vertices. A vertex that came earlier has more of
// the edges on average: it becomes the root.
func (f *forest) link(a, b uint32) {
	a, b = f.find(a), f.find(b)
	switch {
	case a < b:
		f.parent[b] = a
	case b < a:
		f.parent[a] = b
	}
}

// greatest gives for each root the vertex with the greatest id in its tree; other
// entries mean nothing. Every vertex's parent is its root then. A root comes
// before all others of its tree, as link sees to it.
func (f *forest) greatest() []uint32 {
	most := make([]uint32, len(f.parent))
	for v := range f.parent {
		root := f.find(uint32(v))
		f.parent[v] = root
		if int(root) == v || f.compare(uint32(v), most[root]) > 0 {
			most[root] = uint32(v)
		}
	}
	return most
}
