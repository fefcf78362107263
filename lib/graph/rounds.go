package graph

import (
	"bytes"
	"fmt"

	"archivestream/lib/stage"
)

// A Star is one of the two operations that take turns.
type Star string

// The stars: see the package's documentation.
const (
	Large Star = "large"
	Small Star = "small"
)

// ParseStar checks the value of a --star option.
func ParseStar(s string) (Star, error) {
	switch star := Star(s); star {
	case Large, Small:
		return star, nil
	}
	return "", stage.Usage("--star %q: large or small is wanted", s)
}

// SpanOptions say what SpanForest reads and makes.
type SpanOptions struct {
	Star     Star // that the edges are meant for
	Keys     bool // the lines are edges of a round; else edges as they are given
	Vertices int  // so many are held at once
}

// SpanForest is the mapper of a round: it replaces edges by stars. For a large
// star an edge is emitted for both of its ends, KEY TAB NEIGHBOUR, for a small
// one for the smaller end.
func SpanForest(t *stage.Task, o SpanOptions) error {
	if o.Vertices < 2 {
		return stage.Usage("at least 2 vertices have to be held")
	}
	s := spanning{task: t, SpanOptions: o}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if err := s.edge(line); err != nil {
			return err
		}
		if s.len() > o.Vertices-2 {
			if err := s.emit(); err != nil {
				return err
			}
			s.reset()
		}
	}
	return s.emit()
}

type spanning struct {
	SpanOptions
	forest
	task   *stage.Task
	vertex []byte
	root   []byte
}

func (s *spanning) edge(line []byte) error {
	if s.Keys {
		a, b, err := cutPair(line)
		if err != nil {
			return fmt.Errorf("%w: %q", err, line)
		}
		v, w := s.internKey(a), s.internKey(b)
		s.cover()
		s.link(v, w)
		return nil
	}
	a, b, err := cutEdge(line)
	if err != nil {
		return s.task.Reject(err.Error(), line)
	}
	v, w := s.intern(a), s.intern(b)
	s.cover()
	s.link(v, w)
	s.task.Count("edges", 1)
	return nil
}

// emit writes the stars. A tree of one vertex was an edge to itself.
func (s *spanning) emit() error {
	most := s.greatest()
	alone := make([]bool, len(s.parent))
	for v, root := range s.parent {
		alone[root] = int(root) == v
	}
	for v, root := range s.parent {
		top := most[root]
		if int(top) == v && !alone[root] {
			continue
		}
		s.vertex = s.appendKey(s.vertex[:0], uint32(v))
		s.root = s.appendKey(s.root[:0], top)
		if err := s.task.Emit(s.vertex, s.root); err != nil {
			return err
		}
		if s.Star == Large && int(top) != v {
			if err := s.task.Emit(s.root, s.vertex); err != nil {
				return err
			}
		}
	}
	return nil
}

// LinkStars is the reducer of a round. Its lines are KEY TAB NEIGHBOUR, sorted by
// key and then with the greatest neighbour first. A key of any number of
// neighbours takes no memory.
func LinkStars(t *stage.Task, star Star) error {
	l := linking{task: t, star: star}
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		if err := l.link(g); err != nil {
			return err
		}
	}
	t.Count("left", l.left)
	t.Count("unfinished", l.unfinished)
	return nil
}

type linking struct {
	task       *stage.Task
	star       Star
	left       int64 // edges
	unfinished int64 // vertices
	most, last []byte
}

func (l *linking) link(g *stage.Group) error {
	l.most, l.last = l.most[:0], l.last[:0]
	var greater, smaller int // how many neighbours
	loop := false
	for n, err := range g.Values() {
		if err != nil {
			return err
		}
		if len(l.last) > 0 {
			if order := bytes.Compare(n, l.last); order == 0 {
				continue
			} else if order > 0 {
				return fmt.Errorf("neighbours of %q are not sorted, the greatest first", g.Key)
			}
		}
		l.last = append(l.last[:0], n...)
		order := bytes.Compare(n, g.Key)
		if len(l.most) == 0 && order != 0 {
			l.most = append(l.most, n...)
			if order < 0 {
				l.most = append(l.most[:0], g.Key...)
			}
			if err := l.first(g.Key, order); err != nil {
				return err
			}
		}
		switch {
		case order == 0:
			loop = true
			continue
		case order > 0:
			greater++
		default:
			smaller++
		}
		if err := l.neighbour(n, order); err != nil {
			return err
		}
	}
	if loop && greater+smaller == 0 {
		return l.emit(g.Key, g.Key)
	}
	if greater > 1 || greater == 1 && smaller > 0 {
		l.unfinished++
	}
	return nil
}

// first links the vertex itself to the greatest, which a small star does.
func (l *linking) first(key []byte, order int) error {
	if l.star == Small && order > 0 {
		return l.emit(key, l.most)
	}
	return nil
}

// neighbour links a neighbour to the greatest.
func (l *linking) neighbour(n []byte, order int) error {
	if l.star == Large && order < 0 || l.star == Small && order > 0 && !bytes.Equal(n, l.most) {
		return l.emit(n, l.most)
	}
	return nil
}

func (l *linking) emit(a, b []byte) error {
	l.left++
	return l.task.Emit(a, b)
}
