package truth

import (
	"path/filepath"
	"testing"
)

// A partition is a run of components.sh, as components.py is told of it.
type partition struct {
	Name     string   `json:"name"`
	Output   string   `json:"output"`
	Edges    []string `json:"edges"`
	Vertices []string `json:"vertices"`
	Rounds   bool     `json:"rounds"`
}

// TestTruthComponents holds the components of the links between hosts, and of what
// covers what, against networkx.
func TestTruthComponents(t *testing.T) {
	folder := theArchives(t)
	graph := run(t, "webgraph.sh", "--input", folder, "--links", "all", "--no-ranks")
	hosts := partition{Name: "hosts", Edges: []string{filepath.Join(graph, "edges", "part-00000.txt.gz")},
		Vertices: []string{filepath.Join(graph, "vertices", "part-00000.txt.gz")}}
	covers := run(t, "redundancy.sh", "--documents", documents(t)[1], "--cover", "containment(a, b) >= 0.7")
	texts := partition{Name: "documents", Edges: []string{filepath.Join(covers, "edges", "part-00000")},
		Vertices: []string{filepath.Join(covers, "documents", "part-00000")}}
	both := partition{Name: "both", Edges: append(hosts.Edges, texts.Edges...)}
	var runs []partition
	for _, p := range []partition{hosts, texts, both} {
		for _, options := range [][]string{nil, {"--one-task", "0", "--held", "100", "--maps", "3"}, {"--one-task", "0", "--reducers", "1"}} {
			args := options
			for _, path := range p.Edges {
				args = append(args, "--edges", path)
			}
			for _, path := range p.Vertices {
				args = append(args, "--vertices", path)
			}
			made := p
			made.Rounds, made.Output = options != nil, run(t, "components.sh", args...)
			runs = append(runs, made)
		}
	}
	held(t, "components.py", runs)
}
