"""The map that jobs/mementomap.sh makes, from its definition, with all keys in memory.

Standard input: in each line the job's arguments as a list in JSON. Standard output: for
each an object with headers, map (key and value) and stats.
"""

import argparse
import json
import math
import os
import re
import sys
from collections import Counter, defaultdict

import holdings
import surt
import tldextract
from holdings import Frequency, host_of, map_key

ARQUIVO = {"host": (16.329, 0.714), "path": (24.546, 1.429)}
DEPTHS = {"host": 8, "path": 9}

parser = argparse.ArgumentParser()
for name in ["where", "blocked", "update", "meta", "target-lines", "target-cost", "curve", "roll", "roll-tlds", "popularity"]:
    parser.add_argument("--" + name)
for kind in "host", "path":
    parser.add_argument(f"--{kind}-weight")
    parser.add_argument(f"--{kind}-curve")
    parser.add_argument(f"--{kind}-means")
    parser.add_argument(f"--{kind}-depth", type=int, default=DEPTHS[kind])
for name in ["skip-robots", "absent", "gzip", "keep-suffixes"]:
    parser.add_argument("--" + name, action="store_true")
for name in ["maps", "reducers"]:
    parser.add_argument("--" + name)
for name in ["input", "merge"]:
    parser.add_argument("--" + name, nargs="+", action="extend", default=[])

# Names below which others register: the list that tldextract comes with.
suffixes = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)


def is_suffix(host):
    name = ".".join(reversed(host.split(",")))
    found = suffixes(name)
    return found.suffix == name or "," not in host


def chosen(condition, c):
    """Whether a condition holds for a capture: those that the test has."""
    if not condition:
        return True
    status = c.get("status", "")
    values = {"status": int(status) if status.isdigit() else -1, "mime": c.get("mime", ""), "timestamp": c["timestamp"], "surt": c["key"]}
    return eval(condition.replace("&&", " and ").replace("||", " or "), {}, values)


def log_line(line):
    m = re.match(r"(\S+://\S*)[ \t](\d{3})(?!\S)", line) or re.search(r'\] "\S+ \S*?(https?://\S+) [^"]*" (\d{3})(?!\S)', line)
    return m and (m[1], int(m[2]))


class Counts:
    """What there is of each key, and what is said to be absent."""

    def __init__(self, o):
        self.captures = defaultdict(Counter)  # by key, then SURT
        self.of_maps = defaultdict(list)  # (frequency, object)
        self.excluded = set()
        self.o = o
        self.blocked = set()
        for line in holdings.lines(o.blocked) if o.blocked else []:
            line = line.strip()
            if "://" in line:
                self.blocked.add(map_key(surt.surt(line)))
            elif line and not line.startswith("!"):
                self.blocked.add(line.split(" ")[0])
        self.excluded |= self.blocked

    def is_blocked(self, key):
        node = re.sub(r"/?\*$", "", key) if re.search(r"(^|[/,])\*$", key) else key
        if node.endswith(","):  # a host's wildcard
            node = node[:-1]
            labels = node.split(",")
            above = {key, "*"} | {",".join(labels[:n]) + ",*" for n in range(1, len(labels) + 1)}
        else:
            above = {key, *holdings.covering(node)}
        return bool(above & self.blocked)

    def add(self, key):
        short = map_key(key)
        if not short:
            return
        host, path = host_of(short)
        if self.o.skip_robots and path in ("/robots.txt", "/sitemap.xml"):
            return
        if not self.is_blocked(short):
            self.captures[short][key] += 1

    def read(self, path):
        if path.endswith(".ukvs"):
            for key, f, rest in holdings.map_lines(path)[1]:
                if not self.is_blocked(key):
                    if f.excludes():
                        self.excluded.add(key)
                    else:
                        self.of_maps[key].append((f, rest))
        elif path.endswith(".log"):
            for line in holdings.lines(path):
                uri, status = log_line(line)
                key = surt.surt(uri)
                if 200 <= status < 400:
                    self.add(key)
                elif self.o.absent and status in (404, 410) and not re.search(r"[?#]", key):
                    self.excluded.add(map_key(key))
        else:
            for _, c in holdings.captures(path):
                if c and chosen(self.o.where, c):
                    self.add(c["key"])

    def keys(self):
        """Key, frequency and object, sorted."""
        found = {key: (Frequency("0"), "") for key in self.excluded}
        for key in {*self.captures, *self.of_maps}:
            total, rests = Frequency.none(), set()
            for f, rest in self.of_maps[key]:
                total.add(f, same=True)
                rests.add(rest)
            rest = rests.pop() if len(rests) == 1 else ""
            if key in self.captures:
                uris = self.captures[key]
                total.add(Frequency(f"{sum(uris.values())}/{len(uris)}"), same=True)
                rest = ""
            found[key] = total, rest
        return [(key, *found[key]) for key in sorted(found, key=as_bytes)]


def as_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def chain(key):
    """The nodes from the TLD down to a key's own, as (kind, depth, name), and whether it is
    a wildcard; none for a key outside of the tree."""
    m = re.fullmatch(r"([^)*+]+),\*", key)
    host, path, wild = (m[1], None, True) if m else (*host_of(key), False)
    if host is None or re.search(r"[*+]", host):
        return None, False
    labels = host.split(",")
    nodes = [("host", n, ",".join(labels[:n])) for n in range(1, len(labels) + 1)]
    if path is not None:
        if path.endswith("/*"):
            path, wild = path[:-2], True
        parts = path.rstrip("/").split("/") if path == "/" else path.split("/")
        nodes += [("path", n, host + ")" + "/".join(parts[: n + 1])) for n in range(len(parts))]
    return nodes, wild


class Tree:
    """The keys of a map, and the children of their nodes."""

    def __init__(self, keys, absorb=False):
        self.keys, self.absorb, self.below = [], absorb, []
        self.children = defaultdict(dict)  # node: child: the number of the key that it came with
        self.wild = {}  # node of a wildcard: the number of its key
        excluded = None
        for at, (key, f, rest) in enumerate(keys):
            nodes, wild = (None, False) if f.excludes() else chain(key)
            if f.excludes() and re.search(r"[/,]\*$", key) and not (excluded and key.startswith(excluded)):
                excluded = key[:-1]
            elif excluded and key.startswith(excluded):
                nodes = None
            self.keys.append((key, f, rest, nodes, wild))
            for parent, child in zip(nodes or [], (nodes or [])[1:]):
                if parent[0] == child[0]:
                    self.children[parent].setdefault(child, at)
            if wild:
                self.wild[nodes[-1]] = at
        self.first = {}
        for at, (_, _, _, nodes, _) in enumerate(self.keys):
            for node in nodes or []:
                self.first.setdefault(node, at)

    def events(self, cutoff, keep=lambda host: False, roll=()):
        """The nodes that are rolled up, with the number of the key that shows it."""
        found = {}
        for node in self.first:
            kind, depth, name = node
            if kind == "host" and keep(name):
                continue
            at = []
            if kind == "host" and name in roll:
                at.append(self.first[node])
            if self.absorb and node in self.wild:
                at.append(self.wild[node])
            limit = cutoff(kind, depth)
            times = sorted(self.children[node].values()) if node in self.children else []
            if limit is not None and len(times) > limit:
                at.append(next(t for n, t in enumerate(times, 1) if n > limit))
            if at:
                found[node] = min(at)
        return found

    def families(self):
        """By kind and depth: nodes that have children, and these."""
        found = defaultdict(lambda: [0, 0])
        for (kind, depth, _), children in self.children.items():
            found[kind, depth][0] += 1
            found[kind, depth][1] += len(children)
        return found

    def compact(self, rolled):
        """The lines of the map, sorted by their bytes."""
        found, sums = [], {}
        for key, f, rest, nodes, wild in self.keys:
            top = next((node for node in nodes or [] if node in rolled), None)
            if top is None:
                if f.excludes() and chain(key)[1] and chain(key)[0][-1] in rolled:
                    continue  # what it excludes has been found
                key = key[:-1] if key.endswith(")/") else key
                found.append((key, str(f) + (rest and " " + rest)))
                continue
            total = sums.setdefault(top, Frequency.none())
            total.add(f)
            # What is new below an older map's wildcard can be of the same URIs.
            older = [node for node in nodes if self.absorb and node in self.wild and not wild]
            if f.numbers[1] and any(self.keys[self.wild[node]][1].numbers[1] for node in older):
                total.marks[1].add("-")
        for (kind, _, name), total in sums.items():
            found.append((name + (",*" if kind == "host" else "/*"), str(total)))
        return sorted(found, key=lambda line: as_bytes(line[0]))

    def roll_ups(self, rolled):
        """Numbers by kind and depth: those within a node that was rolled up before do not count."""
        counts = {"host": Counter(), "path": Counter()}
        chains = {}
        for _, _, _, nodes, _ in self.keys:
            for n, node in enumerate(nodes or []):
                chains[node] = nodes[:n]
        for node, at in rolled.items():
            if not any(above in rolled and rolled[above] <= at for above in chains[node]):
                counts[node[0]][node[1]] += 1
        return counts


def cutoffs(weights, means):
    def cutoff(kind, depth):
        x = depth if kind == "host" else depth + 1
        if kind == "host" and depth < 2 or x not in means[kind] or weights[kind] == math.inf:
            return None
        return weights[kind] * means[kind][x]

    return cutoff


def power_law(points):
    """A and K of A x^-K with the least squares of what points (x, y) differ from it."""
    if len(points) == 1:
        return points[0][1], 0.0

    def best(k):
        a = sum(y * x**-k for x, y in points) / sum(x ** (-2 * k) for x, _ in points)
        return sum((y - a * x**-k) ** 2 for x, y in points), a

    k, step = min(((best(n / 100)[0], n / 100) for n in range(-200, 601)))[1], 0.01
    while step > 1e-9:
        k = min((k - step, k, k + step), key=lambda k: best(k)[0])
        step *= 0.7
    return best(k)[1], k


def shape(o, families):
    """The mean numbers of children by kind and x, and how stats.json writes their curve."""
    means, written = {}, {}
    for kind in "host", "path":
        curve, listed, depth = getattr(o, kind + "_curve"), getattr(o, kind + "_means"), getattr(o, kind + "_depth")
        if listed:
            values = dict(enumerate(map(float, listed.split(",")), 2 if kind == "host" else 1))
            means[kind] = {x: v for x, v in values.items() if x <= depth}
            written[kind] = listed
            continue
        a, k = map(float, curve.split(",")) if curve else ARQUIVO[kind]
        written[kind] = curve or "{},{}".format(*ARQUIVO[kind])
        if o.curve == "measured":
            points = []
            for x in range(2 if kind == "host" else 1, max(depth, DEPTHS[kind]) + 1):
                parents, children = families[kind, x if kind == "host" else x - 1]
                if parents:
                    points.append((x, children / parents))
            if points:
                a, k = (float(f"{v:.6g}") for v in power_law(points))
                written[kind] = f"{a:.6g},{k:.6g}"
        means[kind] = {x: a * x**-k for x in range(1, depth + 1)}
    return means, written


def strong(o, tree):
    """TLDs with more registered domains than are to be expected, and than 16."""
    domains = {name: len(tree.children.get(("host", 1, name), {})) for kind, depth, name in tree.first if (kind, depth) == ("host", 1)}
    total = sum(domains.values())
    if o.popularity:
        table = {tld.lower().lstrip("."): float(n) for tld, n in (line.split() for line in holdings.lines(o.popularity))}
        expected = {tld: total * table.get(tld, 0) / sum(table.values()) for tld in domains}
    else:
        expected = {tld: total / len(domains) for tld in domains}
    return {tld for tld, n in domains.items() if n > 16 and n > float(o.roll_tlds) * expected[tld]}


def wished(o, tree, means, keep, roll, uris):
    """The largest weights, of those that are tried, with which the map has no more lines than
    are wished."""
    lines = int(o.target_lines) if o.target_lines else int(float(o.target_cost) * uris)
    fixed = {kind: getattr(o, kind + "_weight") for kind in ("host", "path")}
    for w in [math.inf, *(2 ** (i / 6) for i in range(36, -25, -1)), 0.0]:
        weights = {kind: float(fixed[kind]) if fixed[kind] else w for kind in fixed}
        if len(tree.compact(tree.events(cutoffs(weights, means), keep, roll))) <= lines:
            return weights, w
    raise ValueError("no map is so small")


def headers(o):
    """Those of the only map that went in, or of several what each says of itself."""
    maps = [path for path in o.input if path.endswith(".ukvs")] + o.merge + ([o.update] if o.update else [])
    found = set()
    for path in maps:
        own = holdings.map_lines(path)[0]
        if len(maps) == 1:
            found |= set(own)
            continue
        merged = {"file": os.path.basename(path)}
        rest = [h for h in own if not re.match(r"!(context|fields) ", h)]
        if rest:
            merged["headers"] = rest
        found.add("!meta " + json.dumps({"merged": merged}, separators=(",", ":"), ensure_ascii=False))
    if o.meta:
        found |= set(holdings.map_lines(o.meta)[0])
    for usual in '!context ["https://git.io/mementomap"]', '!fields {keys: ["surt"], values: ["frequency"]}':
        if not any(h.startswith(usual.split(" ")[0] + " ") for h in found):
            found.add(usual)
    return sorted(found, key=as_bytes)


def make(arguments):
    o = parser.parse_args(arguments)
    counts = Counts(o)
    for path in o.input + o.merge + ([o.update] if o.update else []):
        counts.read(path)
    tree = Tree(counts.keys(), absorb=bool(o.update))
    captures = sum(f.numbers[0] or 0 for _, f, _, _, _ in tree.keys)
    uris = sum(f.numbers[1] or 0 for _, f, _, _, _ in tree.keys)
    means, curves = shape(o, tree.families())
    keep = is_suffix if o.keep_suffixes else lambda host: False
    roll = {line.strip() for line in holdings.lines(o.roll)} if o.roll else set()
    if o.roll_tlds:
        roll |= strong(o, tree)
    texts = {kind: getattr(o, kind + "_weight") or "4" for kind in ("host", "path")}
    weights = {kind: float(text) for kind, text in texts.items()}
    if o.target_lines or o.target_cost:
        weights, w = wished(o, tree, means, keep, roll, uris)
        texts = {kind: getattr(o, kind + "_weight") or str(w) for kind in texts}
    rolled = tree.events(cutoffs(weights, means), keep, roll)
    lines = tree.compact(rolled)
    counted = tree.roll_ups(rolled)
    stats = {
        "lines": str(len(lines)),
        "keys": str(len(tree.keys)),
        "captures": str(captures),
        "uris": str(uris),
        "exclusions": str(sum(f.excludes() for _, f, _, _, _ in tree.keys)),
        "relative_cost": f"{len(lines) / uris:.6g}" if uris else "null",
    }
    for kind in texts:
        stats[kind + "_weight"] = f"{float(texts[kind]):.5g}"
        stats[kind + "_curve"] = ",".join(f"{float(v):.5g}" for v in curves[kind].split(","))
        stats["rolled_up " + kind + "s"] = " ".join(f"{d}:{n}" for d, n in sorted(counted[kind].items()))
    return {"headers": headers(o), "map": lines, "stats": stats}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(make(json.loads(line))))
