"""The graph of hosts or domains, and its ranks, from WAT files and link lines.

Standard input: JSON, a list of runs: {name, output, wats: [file], lines: [file], level,
links, nofollow, weights, ranks, iterations, tolerance, exact}. Standard output: lines of
JSON, [value, place] where all is right, else [value, place, what the run says, what this
program finds].
"""

import collections
import glob
import gzip
import json
import sys

import hosts
import networkx
import numpy
import scipy.sparse.csgraph

KINDS = {"hyperlinks": {"link", "nofollow"}, "requisites": {"requisite"}, "all": {"link", "nofollow", "requisite"}}


def say(value, place, ours, theirs):
    answer = ["webgraph/" + value, place]
    print(json.dumps(answer if ours == theirs else answer + [json.dumps(ours), json.dumps(theirs)]))


def read(*paths):
    for path in sorted(paths):
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as f:
            for line in f:
                yield line.rstrip("\n").split("\t")


def domain(name):
    host = ".".join(name.split(".")[::-1])
    return ".".join((hosts.suffixes(host).top_domain_under_public_suffix or host).split(".")[::-1])


def all_links(run, known={}):
    for path in run["wats"] or []:
        if path not in known:
            known[path] = list(hosts.links(path))
        for source, target, kind in known[path]:
            yield source, target, kind, 1
    for source, target, kind, n in read(*(run["lines"] or [])):
        yield source, target or None, kind, int(n)


def graph_of(run):
    vertices, edges = collections.defaultdict(set), collections.Counter()
    kinds = KINDS[run["links"]] - ({"nofollow"} if run["nofollow"] == "drop" else set())
    level = domain if run["level"] == "domain" else str
    for source, target, kind, n in all_links(run):
        vertices[level(source)].add(source)
        if target and kind in kinds:
            vertices[level(target)].add(target)
            if level(source) != level(target):
                edges[level(source), level(target)] += n
    return vertices, edges


def rank(graph, n, tolerance, most, longest):
    """PageRank by plain iteration, and how many there are until little moves and no
    vertex is reached any more."""
    out = numpy.asarray(graph.sum(axis=1)).ravel()
    spread = scipy.sparse.diags(1 / numpy.maximum(out, 1)) @ graph
    ranks, moved, steps = numpy.full(n, 1 / n), 1.0, 0
    while steps < most and (moved > 10.0**-tolerance or steps <= longest):
        new = 0.15 / n + 0.85 * (spread.T @ ranks + ranks[out == 0].sum() / n)
        moved, ranks, steps = abs(new - ranks).sum(), new, steps + 1
    return ranks, steps


def check_ranks(run, names, vertices, edges, stats, place):
    n, at = len(names), {name: i for i, name in enumerate(names)}
    rows, columns = [at[a] for a, _ in edges], [at[b] for _, b in edges]
    graph = scipy.sparse.csr_matrix((numpy.ones(len(rows)), (rows, columns)), (n, n))
    sources = numpy.unique(rows)
    distance = scipy.sparse.csgraph.shortest_path(graph, unweighted=True, indices=sources)
    # An iteration reaches vertices that are one step further away.
    reached = numpy.isfinite(distance) & (distance > 0) & (distance <= run["iterations"])
    harmonic = numpy.divide(1, distance, out=numpy.zeros_like(distance), where=reached).sum(axis=0)
    ranks, steps = rank(graph, n, run["tolerance"], run["iterations"], int(distance[reached].max(initial=0)))
    said = list(read(*glob.glob(run["output"] + "/ranks/part-*")))
    head = ["#harmonicc_pos", "#harmonicc_val", "#pr_pos", "#pr_val", "#host_rev"] + ["#n_hosts"] * (run["level"] == "domain")
    say("ranks head", place, said[0], head)
    rows = {row[4]: row for row in said[1:]}
    say("ranks", place, sorted(rows), sorted(names))
    exact = run["exact"] >= n
    errors = []
    for name, row in rows.items():
        i = at[name]
        say("ranks pr_val", f"{place} {name}", bool(abs(float(row[3]) - ranks[i]) < 1e-9), True)
        errors.append(float(row[1]) / harmonic[i] - 1 if harmonic[i] else float(row[1]))
        if exact:
            say("ranks harmonicc_val", f"{place} {name}", bool(abs(errors[-1]) < 1e-6), True)
        if run["level"] == "domain":
            say("ranks n_hosts", f"{place} {name}", int(row[5]), len(vertices[name]))
    # Counters of 2^8 registers are wrong by 6.5 % as a rule.
    say("ranks harmonicc_val estimated", place, bool(numpy.sqrt(numpy.mean(numpy.square(errors))) < (1e-6 if exact else 0.13)), True)
    say("ranks harmonicc_pos", place, [int(r[0]) for r in said[1:]], list(range(1, n + 1)))
    for position, value, title in ((0, 1, "harmonicc"), (2, 3, "pr")):
        in_order = sorted(rows.values(), key=lambda r: int(r[position]))
        values = [float(r[value]) for r in in_order]
        say(f"ranks by {title}_pos", place, values == sorted(values, reverse=True), True)
        say(f"ranks {title}_pos each", place, [int(r[position]) for r in in_order], list(range(1, n + 1)))
    if exact:
        say("stats iterations", place, stats["iterations"], steps)
    if run["iterations"] > 50:
        theirs = networkx.pagerank(networkx.from_scipy_sparse_array(graph, create_using=networkx.DiGraph), tol=1e-13 / n, max_iter=1000)
        for name, row in rows.items():
            near = bool(abs(float(row[3]) - theirs[at[name]]) < 10.0 ** -run["tolerance"])
            say("ranks pr_val of networkx", f"{place} {name}", near, True)


def check(run):
    vertices, edges = graph_of(run)
    place, names = f"- {run['name']}", sorted(vertices)
    stats = json.load(open(run["output"] + "/stats.json"))
    said = list(read(*glob.glob(run["output"] + "/vertices/part-*")))
    theirs = {name: [str(i), name] + [str(len(vertices[name]))] * (run["level"] == "domain") for i, name in enumerate(names)}
    rows = {row[1]: row for row in said}
    for name in rows.keys() | theirs.keys():
        say("vertices", f"{place} {name}", rows.get(name), theirs.get(name))
    say("vertices in order", place, [int(row[0]) for row in said], list(range(len(names))))
    said_edges, by_id = list(read(*glob.glob(run["output"] + "/edges/part-*"))), {v[0]: v[1] for v in said}
    ours = {(by_id[e[0]], by_id[e[1]]): int(e[2]) if run["weights"] else 1 for e in said_edges}
    for edge in ours.keys() | edges.keys():
        n = edges.get(edge, 0)
        say("edges weights" if run["weights"] else "edges", f"{place} {' '.join(edge)}", ours.get(edge, 0), n if run["weights"] else min(n, 1))
    say("edges in order", place, said_edges, sorted(said_edges, key=lambda e: (int(e[0]), int(e[1]))))
    numbers = {
        "level": run["level"], "links": run["links"], "nofollow": run["nofollow"], "vertices": len(names), "edges": len(edges),
        "without_edges_to_others": len(set(names) - {a for a, _ in edges}),
    }  # fmt: skip
    for name, value in numbers.items():
        say(f"stats {name}", place, stats[name], value)
    say("stats members", place, sorted(stats), sorted([*numbers, "iterations"]))
    if run["ranks"]:
        check_ranks(run, names, vertices, edges, stats, place)


for run in json.load(sys.stdin):
    check(run)
