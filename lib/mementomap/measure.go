package mementomap

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// Weights are those for which a Measure knows the number of lines: 0, then from
// 1/16 to 64 in sixths of a power of two, then +Inf.
var Weights = func() []float64 {
	w := []float64{0}
	for i := -24; i <= 36; i++ {
		w = append(w, math.Exp2(float64(i)/6))
	}
	return append(w, math.Inf(1))
}()

// A Measure takes lines as a Compactor does and tells, from one pass, how many
// lines their map has for each pair of Weights, and how many children nodes have.
// Its memory does not depend on the input.
//
// The lines of a node's part of the map are a function of the two weights: one
// where the node is rolled up, otherwise the sum of those of its children. When a
// node closes its function is added to its parent's, so that one is held for each
// open node.
type Measure struct {
	compactor *Compactor
	levels    []level // one for each open node of the compactor, after the root's
	hosts     [][]int64
	paths     [][]int64 // limits by depth and weight
	totals    Totals
}

// A level is the function of an open node.
type level struct {
	always int64   // lines whatever the weights are
	path   []int64 // by the paths' weight; nil or all zero unless used
	both   []int64 // by the hosts' weight, then the paths'
	used   uint8   // usesPath, usesBoth
	rolled bool
}

const (
	usesPath = 1 << iota
	usesBoth
)

// Totals are what a Measure has found. Those of parts of a map that was cut where a
// map can be are added up (Add).
type Totals struct {
	Lines    []int64 // by the index of the hosts' weight · len(Weights) + that of the paths'
	Keys     int64
	Hosts    []Family         // by depth: labels, from 0
	Paths    []Family         // segments, from 0
	TLDs     map[string]int64 // with the registered domains below each
	Captures int64            // URI-M, as far as it is known
	URIs     int64            // URI-R
}

// A Family tells of the nodes of a depth that have children.
type Family struct{ Parents, Children int64 }

// Mean is the mean number of children.
func (f Family) Mean() float64 { return float64(f.Children) / float64(f.Parents) }

// NewMeasure makes a measure for the means of these options; their weights do not
// count. Without means it tells of children alone.
func NewMeasure(o CompactOptions) *Measure {
	m := &Measure{levels: make([]level, 1, 32)}
	m.totals = NewTotals(len(o.HostMeans), len(o.PathMeans))
	for _, w := range Weights {
		o.HostWeight, o.PathWeight = w, w
		hosts, paths := o.limits()
		m.hosts, m.paths = append(m.hosts, hosts), append(m.paths, paths)
	}
	m.hosts, m.paths = turn(m.hosts), turn(m.paths)
	m.compactor = NewCompactor(o, func([]byte) error { return nil }) // the last weight is +Inf
	m.compactor.watch = m
	return m
}

// NewTotals makes the totals of nothing, for means of so many depths.
func NewTotals(hosts, paths int) Totals {
	return Totals{
		Lines: make([]int64, len(Weights)*len(Weights)),
		Hosts: make([]Family, max(hosts, DefaultHostDepth)+1),
		Paths: make([]Family, max(paths, DefaultPathDepth)),
		TLDs:  map[string]int64{},
	}
}

// turn gives columns as rows.
func turn(rows [][]int64) [][]int64 {
	columns := make([][]int64, len(rows[0]))
	for i := range columns {
		for _, row := range rows {
			columns[i] = append(columns[i], row[i])
		}
	}
	return columns
}

// Add takes the next line, as a Compactor does.
func (m *Measure) Add(line []byte) error { return m.compactor.Add(line) }

// Close ends the measuring and gives what was found.
func (m *Measure) Close() (Totals, error) {
	if err := m.compactor.Close(); err != nil {
		return m.totals, err
	}
	stats := m.compactor.Stats()
	t := &m.totals
	t.Keys, t.Captures, t.URIs = stats.Keys, stats.Sum.m, stats.Sum.r
	root := &m.levels[0]
	n := len(Weights)
	for i := range t.Lines {
		t.Lines[i] += root.always
		if root.used&usesPath != 0 {
			t.Lines[i] += root.path[i%n]
		}
		if root.used&usesBoth != 0 {
			t.Lines[i] += root.both[i]
		}
	}
	return *t, nil
}

func (m *Measure) passed(n int64) { m.levels[0].always += n }

// opened takes a node of the compactor; its level is one behind.
func (m *Measure) opened(n int) {
	if n+1 == len(m.levels) {
		m.levels = append(m.levels, level{})
	}
	l := &m.levels[n+1]
	if l.used&usesPath != 0 {
		clear(l.path)
	}
	if l.used&usesBoth != 0 {
		clear(l.both)
	}
	l.always, l.used, l.rolled = 0, 0, false
}

func (m *Measure) line(n int) { m.levels[n+1].always++ }

// rejoin moves the own line of a node, which had closed, back to it.
func (m *Measure) rejoin(n int) {
	m.levels[n].always--
	m.levels[n+1].always++
}

// rolled takes a node that is rolled up whatever the weights are.
func (m *Measure) rolled(n int) {
	l := &m.levels[n+1]
	if l.used&usesPath != 0 {
		clear(l.path)
	}
	if l.used&usesBoth != 0 {
		clear(l.both)
	}
	l.always, l.used, l.rolled = 1, 0, true
}

// closed adds the function of a node to its parent's.
func (m *Measure) closed(i int, n *node, kept bool) {
	if !n.isPath && n.depth == 1 {
		m.totals.TLDs[string(m.compactor.key[:n.end])] += n.count
	}
	l, parent := &m.levels[i+1], &m.levels[i]
	families, limits := m.totals.Hosts, m.hosts
	if n.isPath {
		families, limits = m.totals.Paths, m.paths
	}
	rolls := 0 // it is rolled up with so many of the weights
	if n.count > 0 && !l.rolled {
		if n.depth < len(families) {
			families[n.depth].Parents++
			families[n.depth].Children += n.count
		}
		if n.depth < len(limits) && !kept {
			of := limits[n.depth]
			rolls = sort.Search(len(of), func(w int) bool { return n.count <= of[w] })
		}
	}
	if n.isPath {
		l.toPath(parent, rolls)
	} else {
		l.toHost(parent, rolls)
	}
}

// toPath adds the function of a root or path, which the paths' weight alone decides.
func (l *level) toPath(parent *level, rolls int) {
	if l.used == 0 && (rolls == 0 || l.always == 1) {
		parent.always += l.always
		return
	}
	path := parent.paths()
	for w := range path {
		switch {
		case w < rolls:
			path[w]++
		case l.used != 0:
			path[w] += l.always + l.path[w]
		default:
			path[w] += l.always
		}
	}
}

// toHost adds the function of a host. It is written as if the host stayed, and what
// that is wrong by where it is rolled up.
func (l *level) toHost(parent *level, rolls int) {
	parent.always += l.always
	if l.used&usesPath != 0 {
		path := parent.paths()
		for w, lines := range l.path {
			path[w] += lines
		}
	}
	if l.used&usesBoth == 0 && rolls == 0 {
		return
	}
	n := len(Weights)
	both := parent.pairs()
	for w := range n {
		row := both[w*n:][:n]
		if w >= rolls {
			if l.used&usesBoth == 0 {
				return
			}
			for i, lines := range l.both[w*n:][:n] {
				row[i] += lines
			}
			continue
		}
		for i := range row {
			row[i] += 1 - l.always
		}
		if l.used&usesPath != 0 {
			for i, lines := range l.path {
				row[i] -= lines
			}
		}
	}
}

func (l *level) paths() []int64 {
	if l.path == nil {
		l.path = make([]int64, len(Weights))
	}
	l.used |= usesPath
	return l.path
}

func (l *level) pairs() []int64 {
	if l.both == nil {
		l.both = make([]int64, len(Weights)*len(Weights))
	}
	l.used |= usesBoth
	return l.both
}

// Add adds the totals of another part of the map.
func (t *Totals) Add(o Totals) error {
	if len(t.Hosts) != len(o.Hosts) || len(t.Paths) != len(o.Paths) {
		return errors.New("the parts were measured to other depths")
	}
	for i, n := range o.Lines {
		t.Lines[i] += n
	}
	for i, f := range o.Hosts {
		t.Hosts[i].Parents += f.Parents
		t.Hosts[i].Children += f.Children
	}
	for i, f := range o.Paths {
		t.Paths[i].Parents += f.Parents
		t.Paths[i].Children += f.Children
	}
	for tld, n := range o.TLDs {
		t.TLDs[tld] += n
	}
	t.Keys += o.Keys
	t.Captures += o.Captures
	t.URIs += o.URIs
	return nil
}

// LinesFor is the number of lines with a pair of Weights, given by their indexes.
func (t *Totals) LinesFor(host, path int) int64 { return t.Lines[host*len(Weights)+path] }

// Choose gives the indexes of the largest weights with which a map has no more than
// so many lines: equal ones, or with one of them fixed (from 0; -1: not). The error
// tells how many lines the smallest map has.
func (t *Totals) Choose(lines int64, host, path int) (int, int, error) {
	at := func(w int) (int, int) {
		h, p := host, path
		if h < 0 {
			h = w
		}
		if p < 0 {
			p = w
		}
		return h, p
	}
	for w := len(Weights) - 1; w >= 0; w-- {
		if h, p := at(w); t.LinesFor(h, p) <= lines {
			return h, p, nil
		}
	}
	h, p := at(0)
	return 0, 0, fmt.Errorf("the map has %d lines at least, %d are wanted", t.LinesFor(h, p), lines)
}
