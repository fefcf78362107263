package jobs

import (
	"os/exec"
	"testing"
)

// TestGraphMLInNetworkx compares what networkx reads of graph.graphml with the graph in
// text form.
func TestGraphMLInNetworkx(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	if exec.Command(python, "-c", "import networkx").Run() != nil {
		t.Skip("ARCHIVESTREAM_PYTHON names a python without networkx")
	}
	links := file(t, "a.links",
		"org.example\torg.example.www\tlink\t2\n", "org.example.www\tcom.other\tlink\t1\n",
		"com.other\torg.example\tlink\t4\n", "org.example.www\tuk.co.third.a\tlink\t1\n", "net.alone\t\t\t1\n")
	for _, level := range []string{"host", "domain"} {
		output := runJob(t, "webgraph.sh", "--input", links, "--level", level, "--weights", "--graphml", "--tolerance", "2")
		said(t, "", python, "-c", `
import gzip, glob, sys
import networkx
def lines(name):
    for part in sorted(glob.glob(f"{sys.argv[1]}/{name}/part-*")):
        for line in gzip.open(part, "rt"):
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")
def plain(name):
    return ".".join(reversed(name.split(".")))
g = networkx.read_graphml(f"{sys.argv[1]}/graph.graphml")
assert g.is_directed()
names = {row[0]: plain(row[1]) for row in lines("vertices")}
assert {n: d["label"] for n, d in g.nodes(data=True)} == names and len(names) > 3, g.nodes
if sys.argv[2] == "domain":
    assert {n: d["hosts"] for n, d in g.nodes(data=True)} == {row[0]: int(row[2]) for row in lines("vertices")}
ranks = {plain(row[4]): (float(row[1]), float(row[3])) for row in lines("ranks")}
assert {d["label"]: (d["harmonic"], d["pagerank"]) for n, d in g.nodes(data=True)} == ranks, ranks
edges = {(row[0], row[1]): float(row[2]) for row in lines("edges")}
assert {(a, b): w for a, b, w in g.edges(data="weight")} == edges and len(edges) > 2, edges
named = networkx.relabel_nodes(g, networkx.get_node_attributes(g, "label"))
assert named.has_edge("other.com", "example.org")
`, output, level)
	}
}
