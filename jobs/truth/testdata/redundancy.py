"""Everything that redundancy.sh makes, from the documents alone.

Standard input: JSON, a list of runs: {name, output, documents: [file], cover, size, bits,
weight, minima, earlier, reducers, limit, saved, each}. Standard output: lines of JSON, [value, place]
where all is right, else [value, place, what the run says, what this program finds].

Shingles are tuples, pairs are counted by multiplying matrices, thresholds are fractions,
lightest covers are found by an integer program (HiGHS).
"""

import collections
import glob
import gzip
import json
import math
import sys

import numpy
import scipy.optimize
import scipy.sparse
from redundancy_page import check_page
from relation import Relation, Side
from sets import check_sets
from shingles import Collection


def say(value, place, ours, theirs):
    answer = ["redundancy/" + value, place]
    if ours != theirs:
        answer += [x if isinstance(x, str) else json.dumps(x, sort_keys=True) for x in (ours, theirs)]
    print(json.dumps(answer))


def lines(*folder):
    found = sorted(glob.glob("/".join(folder) + "/part-*"))
    for name in found:
        with open(name, encoding="utf-8", newline="\n") as f:
            yield from (line.rstrip("\n") for line in f)


def order(id):
    """Numbers first, as numbers; then all other ids, by their bytes."""
    number = id.isascii() and id.isdigit() and (id == "0" or id[0] != "0") and len(id) <= 60
    return (0, int(id), b"") if number else (1, 0, id.encode())


def pairs(documents, size):
    """(i, j, shared) for all documents that share a shingle, i != j. Equal sets are
    multiplied once."""
    members = collections.defaultdict(list)
    for i, d in enumerate(documents):
        if d.sets[size]:
            members[d.sets[size]].append(i)
    sets = list(members)
    columns = numpy.concatenate([numpy.fromiter(s, numpy.int64, len(s)) for s in sets])
    _, columns = numpy.unique(columns, return_inverse=True)
    starts = numpy.cumsum([0] + [len(s) for s in sets])
    matrix = scipy.sparse.csr_matrix((numpy.ones(len(columns), numpy.int32), columns, starts))
    frequent = numpy.asarray(matrix.sum(axis=0)).ravel() > 1
    shared = matrix[:, frequent]
    columns, sizes = shared.T.tocsr(), numpy.array([len(s) for s in sets])
    for x, s in enumerate(sets):
        row = (shared[x] @ columns).tocoo()
        # No measure can be 0.6 where neither containment is.
        close = 10 * row.data >= 6 * numpy.minimum(sizes[x], sizes[row.col])
        counts = dict(zip(row.col[close].tolist(), row.data[close].tolist()))
        counts[x] = len(s)
        for y, n in counts.items():
            for i in members[s]:
                for j in members[sets[y]]:
                    if i != j:
                        yield i, j, n


def edges_of(documents, run, known={}):
    key = (tuple(run["documents"]), run["size"])
    if key not in known:
        known[key] = list(pairs(documents, run["size"]))
    relation, found = Relation(run["cover"]), {}
    sides = [Side(d.members, len(d.sets[run["size"]])) for d in documents]
    for i, j, n in known[key]:
        similarity = relation.similarity(sides[i], sides[j], n)
        if similarity is not None:
            found[documents[i].id, documents[j].id] = similarity
    return found


def components_of(ids, edges):
    parent = {i: i for i in ids}

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in edges:
        parent[root(a)] = root(b)
    groups = collections.defaultdict(list)
    for i in ids:
        groups[root(i)].append(i)
    return {max(group, key=order): sorted(group, key=order) for group in groups.values()}


def weight_of(document, expression):
    if not expression:
        return 1.0, True
    try:
        w = float(eval(expression, {"bytes": document.size(), **document.members}))
        return (w, True) if 0 < w < math.inf else (1.0, False)
    except (ZeroDivisionError, NameError, TypeError):
        return 1.0, False


def lightest(group, coverers, weights):
    """The least weight of a cover of a component."""
    at = {d: i for i, d in enumerate(group)}
    rows, columns = [], []
    for d in group:
        for c in coverers[d] | {d}:
            rows.append(at[d])
            columns.append(at[c])
    matrix = scipy.sparse.csr_matrix((numpy.ones(len(rows)), (rows, columns)), (len(group), len(group)))
    found = scipy.optimize.milp(
        [weights[d] for d in group], integrality=numpy.ones(len(group)), bounds=scipy.optimize.Bounds(0, 1),
        constraints=scipy.optimize.LinearConstraint(matrix, lb=1), options={"mip_rel_gap": 0},
    )  # fmt: skip
    if found.status != 0:
        sys.exit(f"the component of {group[-1]} has no solution: {found.message}")
    return sum(weights[d] for d, x in zip(group, found.x) if x > 0.5)


def greedily(group, covers, weights):
    """The weight of a cover that is chosen document by document."""
    left, weight = set(group), 0.0
    while left:
        best = max(group, key=lambda c: (len((covers[c] | {c}) & left) / weights[c], order(c)))
        left -= covers[best] | {best}
        weight += weights[best]
    return weight


def check_documents(run, documents):
    said = dict(line.split("\t", 1) for line in lines(run["output"], "documents"))
    say("documents", f"- {run['name']}", sorted(said), sorted(d.id for d in documents))
    for d in documents:
        ours, theirs = json.loads(said.get(d.id, "{}")), d.said(run["size"])
        place = f"{d.place()} {run['name']}"
        say("documents members", place, sorted(ours), sorted(theirs))
        for name in theirs if run["each"] else ():
            what = name.strip("_") if name not in d.members else "attributes"
            say(f"documents {what}", place, ours.get(name), theirs[name])
        say("documents lines", place, ours, theirs)


def check_edges(run, edges, by_id):
    said = {}
    for line in lines(run["output"], "edges"):
        a, b, similarity = line.split("\t")
        said[a, b] = "twice" if (a, b) in said else similarity
    for a, b in said.keys() | edges.keys():
        say("edges", f"{by_id[a].place()} {run['name']} {b}", said.get((a, b), "-"), edges.get((a, b), "-"))
    if run["reducers"] == 1:
        written = [line.encode() for line in lines(run["output"], "edges")]
        say("edges in order", f"- {run['name']}", str(written == sorted(written)), "True")


def check_components(run, components, by_id):
    said = collections.defaultdict(list)
    for line in lines(run["output"], "components"):
        label, id = line.split("\t")
        said[label].append(id)
    for label in said.keys() | components.keys():
        say("components", f"{by_id[label].place()} {run['name']}", said.get(label, []), components.get(label, []))


def check_saved(run, documents):
    """The records of what is kept are those of the archives, byte for byte."""
    kept = set(lines(run["output"], "cover"))
    theirs = {(d.members["filename"], str(d.members["offset"])): d for d in documents if d.id in kept}
    ours = {}
    with open(f"{run['output']}/warc/manifest.tsv") as f:
        for line in f:
            name, offset, length, source, at, url = line.rstrip("\n").split("\t")
            ours[source, at] = name, int(offset), int(length), url
    for key in ours.keys() | theirs.keys():
        d, place = theirs.get(key), " ".join(key)
        say("saved", place, key in ours, d is not None)
        if d and key in ours:
            name, offset, length, url = ours[key]
            say("saved url", place, url, d.members["url"])
            theirs_bytes = cut(f"{run['saved']}/{key[0]}", int(key[1]), d.members["length"])
            ours_bytes = cut(f"{run['output']}/warc/{name}", offset, length)
            if theirs_bytes[:2] != b"\x1f\x8b" and ours_bytes[:2] == b"\x1f\x8b":
                ours_bytes = gzip.decompress(ours_bytes).rstrip(b"\r\n")
            say("saved record", place, ours_bytes == theirs_bytes, True)


def cut(path, offset, length):
    """A record; a plain one without the line ends after it."""
    with open(path, "rb") as f:
        f.seek(offset)
        data = f.read(length)
    return data if data[:2] == b"\x1f\x8b" else data.rstrip(b"\r\n")


class Cover:
    """What a run says of its cover, and what is true of it."""

    def __init__(self, run, documents, edges, components):
        self.run, self.by_id, self.edges, self.components = run, {d.id: d for d in documents}, edges, components
        weighed = {d.id: weight_of(d, run["weight"]) for d in documents}
        self.weights = {i: w for i, (w, _) in weighed.items()}
        self.without = sum(not ok for _, ok in weighed.values()) if run["weight"] else 0
        self.kept = set(lines(run["output"], "cover"))
        self.covers, self.coverers = collections.defaultdict(set), collections.defaultdict(set)
        for a, b in edges:
            self.covers[b].add(a)
            self.coverers[a].add(b)
        self.method = {}
        for line in lines(run["output"], "_state"):
            f = line.split("\t")
            if f[1] == "0":
                label = f[0][1:] if f[0][0] == "~" else str(int(f[0][1:]))
                self.method[label] = f[3], float(f[4]), float(f[5])

    def check_covered(self):
        """Each document that is not kept is covered by the most similar one that is."""
        said = {a: [b, s] for a, b, s in (line.split("\t") for line in lines(self.run["output"], "covered"))}
        for id, d in self.by_id.items():
            best = max(((self.edges[id, b], order(b), b) for b in self.coverers[id] & self.kept), default=None)
            theirs = ["kept"] if id in self.kept else ["not covered"] if best is None else [best[2], best[0]]
            say("covered", f"{d.place()} {self.run['name']}", said.get(id, ["kept"]), theirs)

    def check_weights(self):
        """Covers that are said to be proven are the lightest; others are within the bound."""
        self.bounds = {}
        for label, group in self.components.items():
            place = f"{self.by_id[label].place()} {self.run['name']}"
            weight = sum(self.weights[d] for d in group if d in self.kept)
            if len(group) == 1:
                say("cover of one", place, str(weight), str(self.weights[label]))
                self.bounds[label] = self.weights[label]
                continue
            method, solved, bound = self.method.get(label, ("-", 0.0, 0.0))
            self.bounds[label] = bound
            least = lightest(group, self.coverers, self.weights)
            if not self.run["minima"]:
                say("weight of a component", place, f"{solved:.9g}", f"{weight:.9g}")
            if method == "exact":
                # HiGHS stops within a millionth.
                say("lightest cover", place, solved, least if abs(solved - least) > 2e-6 * max(least, 1) else solved)
                say("bound of the lightest", place, f"{bound:.9g}", f"{solved:.9g}")
            else:
                greedy = greedily(group, self.covers, self.weights)
                say("greedy cover in its bounds", place, str(method == "greedy" and bound <= least + 1e-6 and solved <= greedy + 1e-6), "True")

    def check_minima(self):
        for attribute, number in self.run["minima"].items():
            there, kept = collections.Counter(), collections.Counter()
            for d in self.by_id.values():
                value = d.members.get(attribute)
                if value not in (None, ""):
                    there[value] += 1
                    kept[value] += d.id in self.kept
            for value, n in there.items():
                say("keep-per", f"- {self.run['name']} {attribute}={value}", str(kept[value] >= min(number, n)), "True")

    def stats(self):
        documents = list(self.by_id.values())
        urls = collections.Counter(d.members["url"] for d in documents if d.members.get("url"))
        mean = sum(urls.values()) / len(urls)
        size = sum(d.size() for d in documents)
        kept = sum(self.by_id[i].size() for i in self.kept)
        methods = collections.Counter(m for m, _, _ in self.method.values())
        sizes = collections.Counter(len(g) for g in self.components.values())
        return {
            "documents": len(documents), "bytes": size, "documents_per_url_mean": mean,
            "documents_per_url_sd": math.sqrt(sum((n - mean) ** 2 for n in urls.values()) / len(urls)),
            "cover": self.run["cover"], "shingle_size": self.run["size"], "weight_expression": self.run["weight"],
            "shingles": sum(len(d.sets[self.run["size"]]) for d in documents), "urls": len(urls),
            "without_weight": self.without, "edges": len(self.edges), "components": len(self.components),
            "components_single": sizes[1], "components_exact": methods["exact"], "components_greedy": methods["greedy"],
            "cover_size": len(self.kept), "cover_bytes": kept,
            "reduction_documents_percent": 100 * (1 - len(self.kept) / len(documents)),
            "reduction_bytes_percent": 100 * (1 - kept / size),
            "weight": sum(self.weights[i] for i in self.kept), "sizes": sorted(map(list, sizes.items())),
            "exact_limit": self.run["limit"], "keep_per": ",".join(f"{k}={v}" for k, v in self.run["minima"].items()),
        }  # fmt: skip

    def check_stats(self):
        said = json.load(open(f"{self.run['output']}/stats.json"))
        theirs = self.stats()
        if not self.run["minima"]:
            theirs["weight_bound"] = sum(self.bounds.values())
            theirs["added"] = 0
        for name, value in theirs.items():
            ours = said.get(name)
            if isinstance(value, float):
                ours, value = f"{ours:.9g}", f"{value:.9g}"
            say(f"stats {name}", f"- {self.run['name']}", ours, value)
        largest = sorted((g for g in self.components.items() if len(g[1]) > 1), key=lambda g: (-len(g[1]), order(g[0])))[:20]
        inside = collections.Counter()
        label = {d: name for name, group in largest for d in group}
        for a, _ in self.edges:
            inside[label.get(a)] += 1
        for i, (name, group) in enumerate(largest):
            kept = [d for d in group if d in self.kept]
            theirs = {
                "id": name, "documents": len(group), "edges": inside[name], "kept": len(kept),
                "bytes": sum(self.by_id[d].size() for d in group), "kept_bytes": sum(self.by_id[d].size() for d in kept),
            }  # fmt: skip
            ours = said["largest"][i] if i < len(said["largest"]) else {}
            for member, value in theirs.items():
                say(f"stats largest {member}", f"- {self.run['name']} {i}", ours.get(member), value)
        say("stats largest", f"- {self.run['name']}", len(said["largest"] or []), len(largest))
        say("stats members", f"- {self.run['name']}", sorted(said), sorted({*self.stats(), "weight_bound", "added", "largest"}))


def main():
    collection = Collection()
    for run in json.load(sys.stdin):
        documents = []
        for path in run["documents"]:
            documents += collection.read(path, run["size"])
        by_id = {d.id: d for d in documents}
        edges = edges_of(documents, run)
        components = components_of(list(by_id), edges)
        check_documents(run, documents)
        check_edges(run, edges, by_id)
        check_components(run, components, by_id)
        cover = Cover(run, documents, edges, components)
        cover.check_covered()
        cover.check_weights()
        cover.check_minima()
        cover.check_stats()
        check_page(run, json.load(open(run["output"] + "/stats.json")), say)
        if run["each"]:
            check_sets(run, documents, say)
        if run["saved"]:
            check_saved(run, documents)


if __name__ == "__main__":
    main()
