"""What maps answer to lookups, and how well.

answers.py look uris|surts MAP...   the lookups are lines of standard input; for each map and
                       each of them a line of lookup, key and frequency, separated by tabs.
answers.py evaluate    in each line of standard input an object with maps, lookups, truth
                       (files), by, where, title, and for a grid weights and shape (arguments
                       of jobs/mementomap.sh). Two lines for each: evaluation.json, and what
                       its page shows with the maps of the grid.
"""

import json
import sys

import holdings
import mementomap
import surt
from holdings import Frequency, map_key
from reports import count, percent, short, size


def table_of(lines):
    """A map as a dictionary, a root by its key without a slash."""
    return {key: value.split(" ")[0] for key, value in lines}


def read(path):
    lines = [line.split(" ", 1) for line in holdings.lines(path) if line and not line.startswith("!")]
    return lines, sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in holdings.lines(path) if line)


def look(kind, paths):
    lookups = sys.stdin.read().split("\n")[:-1]
    for path in paths:
        table = table_of(read(path)[0])
        for lookup in lookups:
            key = holdings.look_up(table, surt.surt(lookup) if kind == "uris" else lookup)
            print(lookup, key or "-", table[key] if key else "-", sep="\t")


def truth_of(a):
    """The URI-Rs that are held, each with how many there are of it."""
    held = {}
    for path in a["truth"]:
        if path.endswith(".ukvs"):
            for key, f, _ in holdings.map_lines(path)[1]:
                if f.present():
                    held[map_key(key)] = max(held.get(map_key(key), 0), f.numbers[1] or 1)
        else:
            for _, c in holdings.captures(path):
                if c and mementomap.chosen(a["where"], c):
                    held[map_key(c["key"]) if a["by"] == "key" else c["key"]] = 1
    return held


def grid(path, weights, arguments):
    """The maps of all pairs of weights, the largest first, with their weights."""
    o = mementomap.parser.parse_args(arguments)
    tree = mementomap.Tree(holdings.map_lines(path)[1])
    means, _ = mementomap.shape(o, {})
    for host in sorted(weights, reverse=True):
        for p in sorted(weights, reverse=True):
            yield host, p, tree.compact(tree.events(mementomap.cutoffs({"host": host, "path": p}, means)))


def evaluate(a):
    held = truth_of(a)
    uris = sum(held.values())
    keys = [surt.surt(line) for line in holdings.lines(a["lookups"])]
    if a["by"] == "key":
        keys = [map_key(key) for key in keys]
    present = [key in held for key in keys]
    maps = [(path.split("/")[-1], None, *read(path)) for path in a["maps"]]
    made = {}
    for host, path, lines in grid(a["maps"][0], a["weights"], a["shape"] or []) if a["weights"] else []:
        name = f"h{host:g}-p{path:g}.ukvs"
        text = [f"{key} {value}" for key, value in lines]
        made[name] = ['!context ["https://git.io/mementomap"]', '!fields {keys: ["surt"], values: ["frequency"]}', *text]
        maps.append((name, (host, path), lines, sum(len(mementomap.as_bytes(line)) + 1 for line in made[name])))
    found = []
    for name, weights, lines, length in maps:
        table = table_of(lines)
        answers = {}
        for key in set(keys):
            k = holdings.look_up(table, key)
            answers[key] = k is not None and Frequency(table[k]).present()
        right = sum(answers[key] == p for key, p in zip(keys, present))
        predicted = sum(answers[key] for key in keys)
        both = sum(answers[key] and p for key, p in zip(keys, present))
        row = {"name": name, "lines": len(lines), "bytes": length, "cost": len(lines) / uris, "accuracy": right / len(keys)}
        row |= {"recall": both / sum(present), "predicted": predicted, "found": both, "false_positives": predicted - both}
        if weights:
            row |= {"host_weight": weights[0], "path_weight": weights[1]}
        found.append(row)
    e = {"uris": uris, "lookups": len(keys), "present": sum(present), "hit_rate": sum(present) / len(keys), "maps": found}
    return e, page(a, e) | {"made": made}


def page(a, e):
    rows = [
        [m["name"], count(m["lines"]), size(m["bytes"]), percent(m["cost"]), percent(m["accuracy"]), percent(m["recall"]), count(m["false_positives"])]
        for m in e["maps"]
    ]
    points, marks = [], []
    for m in e["maps"]:
        group, note = "Maps", m["name"]
        if "host_weight" in m:
            group = "Host weight " + short(m["host_weight"])
            note = group + ", path weight " + short(m["path_weight"])
        points.append([group, percent(m["cost"]), percent(m["accuracy"])])
        marks.append(f"{note}: cost {percent(m['cost'])}, accuracy {percent(m['accuracy'])}")
    if len({group for group, _, _ in points}) == 1:
        points = [point[1:] for point in points]
    return {
        "headline": a["title"],
        "facts": {
            "Lookups": count(e["lookups"]),
            "Of them present": f"{count(e['present'])} ({percent(e['hit_rate'])})",
            "URI-Rs": count(e["uris"]),
            "Maps": count(len(e["maps"])),
        },
        "tables": {"Maps": rows, "Accuracy over relative cost": points},
        "plots": {"Accuracy over relative cost": marks},
    }


if __name__ == "__main__":
    if sys.argv[1] == "look":
        look(sys.argv[2], sys.argv[3:])
    else:
        for line in sys.stdin:
            for answer in evaluate(json.loads(line)):
                print(json.dumps(answer))
