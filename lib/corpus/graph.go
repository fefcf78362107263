package corpus

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
)

// GraphOptions say what the edges of a graph are.
type GraphOptions struct {
	Kind     string // random, path or shuffled-path
	Vertices int
	Edges    int // of a random graph; a path has one less than vertices
	Seed     uint64
}

// MakeGraph writes the edges of a graph, ids being numbers from 0: edges between
// vertices that are drawn evenly, or a path through all vertices in the order of
// their ids or in any other.
func MakeGraph(out io.Writer, o GraphOptions) error {
	if o.Vertices < 1 || o.Edges < 0 {
		return fmt.Errorf("a graph needs a vertex, and no fewer than 0 edges")
	}
	r := rand.New(rand.NewPCG(o.Seed, 0))
	edge := func(int) (int, int) { return r.IntN(o.Vertices), r.IntN(o.Vertices) }
	edges := o.Vertices - 1
	switch o.Kind {
	case "random":
		edges = o.Edges
	case "path":
		edge = func(i int) (int, int) { return i, i + 1 }
	case "shuffled-path":
		order := r.Perm(o.Vertices)
		edge = func(i int) (int, int) { return order[i], order[i+1] }
	default:
		return fmt.Errorf("kind %q: random, path or shuffled-path is wanted", o.Kind)
	}
	w := bufio.NewWriterSize(out, 1<<20)
	var line []byte
	for i := range edges {
		a, b := edge(i)
		line = append(strconv.AppendInt(line[:0], int64(a), 10), '\t')
		line = append(strconv.AppendInt(line, int64(b), 10), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}
