package corpus

import (
	"bytes"
	"strings"
	"testing"
)

func TestMakeGraph(t *testing.T) {
	for kind, edges := range map[string]int{"random": 70, "path": 49, "shuffled-path": 49} {
		var once, twice bytes.Buffer
		o := GraphOptions{Kind: kind, Vertices: 50, Edges: 70, Seed: 3}
		if MakeGraph(&once, o) != nil || MakeGraph(&twice, o) != nil || once.String() != twice.String() {
			t.Errorf("%s is not made twice the same", kind)
		}
		if got := strings.Count(once.String(), "\n"); got != edges {
			t.Errorf("%s: %d edges, want %d", kind, got, edges)
		}
		if ordered := strings.HasPrefix(once.String(), "0\t1\n1\t2\n"); ordered != (kind == "path") {
			t.Errorf("%s begins with %q", kind, once.String()[:12])
		}
	}
	if MakeGraph(&bytes.Buffer{}, GraphOptions{Kind: "star", Vertices: 3}) == nil {
		t.Error("no error for an unknown kind")
	}
}
