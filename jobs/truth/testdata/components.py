"""The components of graphs by networkx, against what components.sh makes.

Standard input: JSON, a list of runs: {name, output, edges: [file], vertices: [file],
rounds}. Standard output: lines of JSON, [value, place] where all is right, else [value,
place, what the run says, what this program finds].
"""

import collections
import glob
import gzip
import json
import sys

import networkx


def say(value, place, ours, theirs):
    print(json.dumps(["components/" + value, place] + ([] if ours == theirs else [str(ours), str(theirs)])))


def order(id):
    """Numbers first, as numbers; then all other ids, by their bytes."""
    number = id.isascii() and id.isdigit() and (id == "0" or id[0] != "0") and len(id) <= 60
    return (0, int(id), b"") if number else (1, 0, id.encode())


def fields(paths):
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as f:
            for line in f:
                yield line.rstrip("\n").split("\t")


for run in json.load(sys.stdin):
    graph, edges = networkx.Graph(), 0
    for f in fields(run["edges"]):
        if len(f) > 1 and f[0] and f[1]:
            graph.add_edge(f[0], f[1])
            edges += 1
    for f in fields(run["vertices"] or []):
        graph.add_node(f[0])
    found = list(networkx.connected_components(graph))
    label = {}
    for group in found:
        label.update(dict.fromkeys(group, max(group, key=order)))
    said = {}
    for part in sorted(glob.glob(run["output"] + "/components/part-*")):
        ids = []
        for id, component in fields([part]):
            say("once", f"- {run['name']} {id}", id in said, False)
            said[id] = component
            ids.append(id)
        say("order", f"- {run['name']} {part[-10:]}", ids == sorted(ids, key=order), True)
    for id in said.keys() | label.keys():
        say("component", f"- {run['name']} {id}", said.get(id), label.get(id))
    stats = json.load(open(run["output"] + "/stats.json"))
    sizes = collections.Counter(map(len, found))
    theirs = {
        "vertices": len(graph), "edges": edges, "components": len(found), "largest": max(sizes, default=0),
        "sizes": sorted(map(list, sizes.items())),
    }  # fmt: skip
    for name, value in theirs.items():
        say(f"stats {name}", f"- {run['name']}", stats.get(name), value)
    say("stats rounds", f"- {run['name']}", stats["rounds"] > 0, run["rounds"])
    say("stats members", f"- {run['name']}", sorted(stats), sorted([*theirs, "rounds"]))
