package cover

import (
	"bytes"
	"fmt"
	"strconv"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

// The kinds of lines of a component, in the order in which they have to come.
const (
	kindEarlier  = '0' // DOCUMENTS TAB METHOD TAB WEIGHT TAB BOUND
	kindDocument = '1' // KEY TAB WEIGHT TAB BYTES [TAB GROUP]...
	kindKept     = '2' // KEY: kept by an earlier solution
	kindAdded    = '3' // KEY: kept for the sake of a minimum
	kindEdge     = '4' // KEY TAB KEY TAB SIMILARITY
)

// How a component was solved.
const (
	methodSingle = "single" // one document
	methodExact  = "exact"
	methodGreedy = "greedy"
)

// Options of SolveComponents.
type Options struct {
	Limits
	Edges  int64 // so many edges of a component are held in memory
	Groups bool  // tell TopUp what groups the documents are in
}

// SolveComponents is the reducer that finds a cover of each component. Its lines are
// LABEL TAB KIND TAB ... as the package's documentation says, sorted. It makes the
// side files cover, covered, components, _state and _summary.
func SolveComponents(t *stage.Task, o Options) error {
	s := solver{task: t, Options: o,
		cover: table{task: t, folder: "cover"}, covered: table{task: t, folder: "covered"},
		components: table{task: t, folder: "components"}, state: table{task: t, folder: "_state"}}
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		if err := s.component(g); err != nil {
			return err
		}
	}
	for _, f := range []*table{&s.cover, &s.covered, &s.components, &s.state} {
		if err := f.close(); err != nil {
			return err
		}
	}
	t.Count("components", s.summary.Components)
	t.Count("kept", s.summary.Kept)
	t.Count("reused", s.summary.Reused)
	return s.summary.write(t)
}

type solver struct {
	Options
	task       *stage.Task
	c          component
	spool      *spool // of the component's edges, where they do not fit
	cover      table
	covered    table
	components table
	state      table
	summary    Summary
	line       []byte
}

func (s *solver) component(g *stage.Group) error {
	s.c.reset(g.Key)
	defer func() {
		if s.spool != nil {
			s.spool.close()
			s.spool = nil
		}
	}()
	for line, err := range g.Values() {
		if err != nil {
			return err
		}
		if len(line) < 2 || line[1] != '\t' {
			return fmt.Errorf("not a line of a component: %q", line)
		}
		if err := s.take(line[0], line[2:]); err != nil {
			return err
		}
	}
	if len(s.c.docs) == 0 {
		return nil // one of an earlier solution that has become a part of another one
	}
	solution, method, err := s.solve()
	if err != nil {
		return err
	}
	return s.write(solution, method)
}

func (s *solver) take(kind byte, line []byte) error {
	switch kind {
	case kindEarlier:
		return s.c.earlier.parse(line)
	case kindDocument:
		return s.c.addDocument(line)
	case kindKept:
		if s.c.settled() {
			return s.c.keep(line)
		}
		return nil
	case kindAdded:
		return s.c.add(line)
	case kindEdge:
		return s.edge(line)
	}
	return fmt.Errorf("a line of a component is of kind %q", kind)
}

func (s *solver) edge(line []byte) error {
	c := &s.c
	covered, covering, similarity, err := c.ends(line)
	if err != nil {
		return s.task.Unsorted(err)
	}
	text := c.texts.number(similarity)
	if c.settled() {
		if len(c.coverers) == 0 {
			c.assign()
		}
		return c.offer(covered, covering, text)
	}
	if s.spool == nil && int64(len(c.covered)) >= max(s.Edges, 1) {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.spool != nil {
		return s.spool.add(covered, covering, text)
	}
	c.covered = append(c.covered, covered)
	c.covering = append(c.covering, covering)
	c.similar = append(c.similar, text)
	return nil
}

// spill puts the edges that are in memory into a file.
func (s *solver) spill() error {
	c := &s.c
	var err error
	if s.spool, err = newSpool(len(c.docs)); err != nil {
		return err
	}
	s.task.Count("spilled-components", 1)
	for i := range c.covered {
		if err := s.spool.add(c.covered[i], c.covering[i], c.similar[i]); err != nil {
			return err
		}
	}
	c.covered, c.covering, c.similar = c.covered[:0], c.covering[:0], c.similar[:0]
	return nil
}

// solve decides which documents are kept and finds the others' coverers.
func (s *solver) solve() (Solution, string, error) {
	c := &s.c
	if len(c.docs) == 1 {
		c.kept[0] = true
		return Solution{Kept: c.kept, Weight: c.weight[0], Bound: c.weight[0], Exact: true}, methodSingle, nil
	}
	if c.settled() {
		if len(c.coverers) == 0 {
			c.assign()
		}
		s.summary.Reused++
		return Solution{Kept: c.kept, Weight: c.earlier.weight + c.added, Bound: c.earlier.bound}, c.earlier.method, nil
	}
	var solution Solution
	if s.spool != nil {
		var err error
		if solution, err = solveSpool(s.spool, c.weight, s.Edges); err != nil {
			return solution, "", err
		}
	} else {
		solution = Solve(c.problem(), s.Limits)
	}
	copy(c.kept, solution.Kept)
	c.assign()
	if s.spool != nil {
		if err := s.spool.each(c.offer); err != nil {
			return solution, "", err
		}
	}
	for i := range c.covered {
		if err := c.offer(c.covered[i], c.covering[i], c.similar[i]); err != nil {
			return solution, "", err
		}
	}
	if solution.Exact {
		return solution, methodExact, nil
	}
	return solution, methodGreedy, nil
}

func (s *solver) write(solution Solution, method string) error {
	c := &s.c
	entry := Component{ID: string(graph.ID(c.label)), Documents: int64(len(c.docs)), Edges: c.edges, Method: method, Weight: solution.Weight, Bound: solution.Bound}
	if method != methodSingle {
		s.line = strconv.AppendInt(s.line[:0], entry.Documents, 10)
		s.line = append(append(append(s.line, '\t'), method...), '\t')
		s.line = append(strconv.AppendFloat(s.line, solution.Weight, 'g', -1, 64), '\t')
		s.line = strconv.AppendFloat(s.line, solution.Bound, 'g', -1, 64)
		if err := s.state.put(c.label, []byte{kindEarlier}, s.line); err != nil {
			return err
		}
	}
	label := graph.ID(c.label)
	for i := range c.docs {
		id := graph.ID(c.key(i))
		if err := s.components.put(label, id); err != nil {
			return err
		}
		if s.Groups {
			if err := s.tell(i); err != nil {
				return err
			}
		}
		entry.Bytes += c.docs[i].bytes
		if !c.kept[i] {
			best := c.coverers[i]
			if best.document < 0 {
				return fmt.Errorf("document %s of component %s is not covered", id, label)
			}
			if err := s.covered.put(id, graph.ID(c.key(int(best.document))), []byte(c.texts.of(best.text))); err != nil {
				return err
			}
			continue
		}
		entry.Kept++
		entry.KeptBytes += c.docs[i].bytes
		if err := s.cover.put(id); err != nil {
			return err
		}
		if method == methodSingle {
			continue
		}
		if err := s.state.put(c.label, []byte{kindKept}, c.key(i)); err != nil {
			return err
		}
	}
	s.summary.add(&entry)
	return nil
}

// tell emits a document for each group that it is in: NUMBER=VALUE, then what sorts
// kept documents first and the others by weight, key and label.
func (s *solver) tell(i int) error {
	c := &s.c
	rest, found := c.groups(i), true
	for number := 0; found; number++ {
		var value []byte
		value, rest, found = bytes.Cut(rest, tab)
		if len(value) == 0 {
			continue
		}
		s.line = append(append(strconv.AppendInt(s.line[:0], int64(number), 10), '='), value...)
		if err := s.task.Emit(s.line, rank(c.kept[i], c.weight[i]), c.key(i), c.label); err != nil {
			return err
		}
	}
	return nil
}

func (e *earlier) parse(line []byte) error {
	f := bytes.Split(line, tab)
	var err [3]error
	if len(f) == 4 {
		e.documents, err[0] = strconv.Atoi(string(f[0]))
		e.method = string(f[1])
		e.weight, err[1] = strconv.ParseFloat(string(f[2]), 64)
		e.bound, err[2] = strconv.ParseFloat(string(f[3]), 64)
	}
	if len(f) != 4 || err != [3]error{} {
		return fmt.Errorf("not a line of an earlier solution: %q", line)
	}
	return nil
}
