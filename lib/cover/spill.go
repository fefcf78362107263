package cover

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
)

// spool is a file of edges that do not fit into memory: two places of documents and
// a text each, 12 bytes. It has no name, so that nothing is left of it.
type spool struct {
	file  *os.File
	w     *bufio.Writer
	edges int64
	in    []int64 // by document: how many it covers
}

func newSpool(documents int) (*spool, error) {
	f, err := unnamed()
	if err != nil {
		return nil, err
	}
	return &spool{file: f, w: bufio.NewWriterSize(f, 1<<20), in: make([]int64, documents)}, nil
}

// unnamed makes a temporary file that is gone when it is closed.
func unnamed() (*os.File, error) {
	f, err := os.CreateTemp("", "cover-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

func (s *spool) close() { s.file.Close() }

func (s *spool) add(covered, covering int32, text uint32) error {
	var edge [12]byte
	binary.LittleEndian.PutUint32(edge[0:], uint32(covered))
	binary.LittleEndian.PutUint32(edge[4:], uint32(covering))
	binary.LittleEndian.PutUint32(edge[8:], text)
	s.in[covering]++
	s.edges++
	_, err := s.w.Write(edge[:])
	return err
}

// each calls do for all edges in the order in which they came.
func (s *spool) each(do func(covered, covering int32, text uint32) error) error {
	if err := s.w.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(s.file, 1<<20)
	var edge [12]byte
	for range s.edges {
		if _, err := io.ReadFull(r, edge[:]); err != nil {
			return err
		}
		covered, covering := binary.LittleEndian.Uint32(edge[0:]), binary.LittleEndian.Uint32(edge[4:])
		if err := do(int32(covered), int32(covering), binary.LittleEndian.Uint32(edge[8:])); err != nil {
			return err
		}
	}
	return nil
}

// levelBase is by how much the worth of the candidates of one level differs at most.
const levelBase = 1.1

// leveled covers a component whose edges lie in a spool, in the way of Cormode,
// Karloff, Wirth: Set Cover Algorithms for Very Large Datasets (CIKM 2010).
// Candidates lie in files by how many uncovered documents they cover for their
// weight, rounded down to a power of levelBase. From the highest level on each
// candidate is read once: it is kept where what it still covers is worth its
// level, and moved to a lower one where not. All files are read and written in
// order; in memory are a few bytes for each document and the edges of one piece.
type leveled struct {
	weight  []float64
	covered []bool
	levels  map[int]*level
	kept    []bool
}

type level struct {
	file *os.File
	w    *bufio.Writer
	sets int
}

// solveSpool solves a component whose edges do not fit; piece is how many edges do.
func solveSpool(s *spool, weight []float64, piece int64) (Solution, error) {
	l := &leveled{weight: weight, covered: make([]bool, len(weight)), kept: make([]bool, len(weight)), levels: map[int]*level{}}
	defer func() {
		for _, level := range l.levels {
			level.file.Close()
		}
	}()
	bound, err := s.bound(weight)
	if err != nil {
		return Solution{}, err
	}
	for from := 0; from < len(weight); {
		to, edges := from, int64(0)
		for to < len(weight) && (to == from || edges+s.in[to] <= piece) {
			edges += s.in[to]
			to++
		}
		if err := l.file(s, int32(from), int32(to), edges); err != nil {
			return Solution{}, err
		}
		from = to
	}
	if err := l.run(); err != nil {
		return Solution{}, err
	}
	solution := Solution{Kept: l.kept, Bound: bound}
	for i, k := range l.kept {
		if k {
			solution.Weight += weight[i]
		}
	}
	solution.Bound = min(solution.Bound, solution.Weight)
	return solution, nil
}

// bound is the one in which documents share the weights of their coverers.
func (s *spool) bound(weight []float64) (float64, error) {
	share := make([]float64, len(weight))
	for i := range share {
		share[i] = weight[i] / float64(s.in[i]+1)
	}
	least := append([]float64(nil), share...)
	err := s.each(func(covered, covering int32, _ uint32) error {
		least[covered] = min(least[covered], share[covering])
		return nil
	})
	sum := 0.0
	for _, v := range least {
		sum += v
	}
	if isWhole(weight) {
		sum = math.Ceil(sum - 1e-6)
	}
	return sum, err
}

// file reads the sets of the candidates in [from, to) and puts them into levels.
func (l *leveled) file(s *spool, from, to int32, edges int64) error {
	places := make([]int64, to-from+1)
	for i := range places[1:] {
		places[i+1] = places[i] + s.in[from+int32(i)] + 1
	}
	members := make([]int32, edges+int64(to-from))
	next := append([]int64(nil), places...)
	put := func(set, member int32) {
		members[next[set-from]] = member
		next[set-from]++
	}
	for c := from; c < to; c++ {
		put(c, c)
	}
	err := s.each(func(covered, covering int32, _ uint32) error {
		if covering >= from && covering < to {
			put(covering, covered)
		}
		return nil
	})
	for i := 0; err == nil && i < int(to-from); i++ {
		err = l.put(from+int32(i), members[places[i]:places[i+1]])
	}
	return err
}

func (l *leveled) levelOf(c int32, members int) int {
	return int(math.Floor(math.Log(float64(members)/l.weight[c]) / math.Log(levelBase)))
}

func (l *leveled) put(c int32, members []int32) error {
	n := l.levelOf(c, len(members))
	at := l.levels[n]
	if at == nil {
		f, err := unnamed()
		if err != nil {
			return err
		}
		at = &level{file: f, w: bufio.NewWriterSize(f, 16<<10)}
		l.levels[n] = at
	}
	at.sets++
	if err := binary.Write(at.w, binary.LittleEndian, [2]int32{c, int32(len(members))}); err != nil {
		return err
	}
	return binary.Write(at.w, binary.LittleEndian, members)
}

// run goes through the levels downwards.
func (l *leveled) run() error {
	for len(l.levels) > 0 {
		top := math.MinInt
		for n := range l.levels {
			top = max(top, n)
		}
		at := l.levels[top]
		if err := l.read(top, at); err != nil {
			return err
		}
		at.file.Close()
		delete(l.levels, top)
	}
	return nil
}

func (l *leveled) read(n int, at *level) error {
	if err := at.w.Flush(); err != nil {
		return err
	}
	if _, err := at.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(at.file, 1<<20)
	var members []int32
	for range at.sets {
		var head [2]int32
		if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
			return err
		}
		members = append(members[:0], make([]int32, head[1])...)
		if err := binary.Read(r, binary.LittleEndian, members); err != nil {
			return err
		}
		left := members[:0]
		for _, e := range members {
			if !l.covered[e] {
				left = append(left, e)
			}
		}
		switch {
		case len(left) == 0:
		case l.levelOf(head[0], len(left)) >= n:
			l.kept[head[0]] = true
			for _, e := range left {
				l.covered[e] = true
			}
		default:
			if err := l.put(head[0], left); err != nil {
				return err
			}
		}
	}
	return nil
}
