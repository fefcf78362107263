"""The profile that jobs/profile.sh makes, from the paper's definitions, with all captures in
memory; and what its page shows.

collection.py WHERE TOP TLDS TITLE CURVE FILE...   CURVE is a file of JSON with the shares of
the URI-Rs of which the curve is asked for. Standard output: profile.json, and in the second
line the page's headline, facts and tables.
"""

import json
import math
import os
import re
import statistics
import sys
from collections import Counter, defaultdict

import holdings
from mementomap import chosen
from reports import count, percent, short, size

where, top, tlds, title, curve_file = sys.argv[1:6]
files = sys.argv[6:]


def ratio(a, b):
    return a / b if b else 0


def is_address(host):
    labels = host.split(",")
    if len(labels) == 1:
        return bool(re.fullmatch(r"[0-9a-f:]+", host)) and host.count(":") > 1
    labels[-1] = labels[-1].split(":")[0]
    return len(labels) == 4 and all(n.isdigit() and str(int(n)) == n and int(n) < 256 for n in labels)


def parts(key):
    """Host, path without query, and query of a key; the path of a root is empty."""
    host, _, rest = key.partition(")")
    path, mark, query = rest.partition("?")
    return host, "" if path == "/" else path, mark + query


totals = Counter(index_files=len(files), index_bytes=sum(os.path.getsize(f) for f in files))
uris, stamps = Counter(), []
per_year = defaultdict(Counter)
classes = defaultdict(Counter)
for path in files:
    for _, c in holdings.captures(path):
        if not c:
            continue
        totals["lines"] += 1
        if not chosen(where, c):
            totals["filtered"] += 1
            continue
        if ")" not in c["key"]:
            totals["without_host"] += 1
            continue
        uri = parts(c["key"])
        uris[uri] += 1
        totals["bytes"] += int(c.get("length") or 0)
        stamps.append(c["timestamp"])
        year = int(c["timestamp"][:4])
        per_year[year][uri] += 1
        if re.fullmatch(r"[2-5]..", c.get("status", "")):
            classes[year][c["status"][0]] += 1

keys = {uri[:2] for uri in uris}
hosts = {uri[0] for uri in uris}
totals.update(
    urims=sum(uris.values()), urirs=len(uris), keys=len(keys), hosts=len(hosts), addresses=sum(map(is_address, hosts)), filtered=0, without_host=0, bytes=0
)
profile = {"totals": dict(totals, first=min(stamps, default=""), last=max(stamps, default=""), gamma=ratio(totals["urims"], totals["urirs"]))}

# Table 1.
domains = defaultdict(lambda: [0, 0, set(), set()])
for (host, path, query), n in uris.items():
    d = domains["(address)" if is_address(host) else host.split(",")[0]]
    d[0] += n
    d[1] += 1
    d[2].add((host, path))
    d[3].add(host)
rows = [{"name": name, "urims": d[0], "urirs": d[1], "keys": len(d[2]), "hosts": len(d[3])} for name, d in domains.items()]
names = sorted((r for r in rows if r["name"] != "(address)"), key=lambda r: (-r["urims"], r["name"].encode()))
profile["tlds"] = names[: int(tlds)] + [r for r in rows if r["name"] == "(address)"]
if names[int(tlds) :]:
    profile["tlds"].append({"name": "(other)", **{k: sum(r[k] for r in names[int(tlds) :]) for k in ("urims", "urirs", "keys", "hosts")}})

# Table 4, Figure 5.
sizes = sorted(uris.values(), reverse=True)
spread = Counter(sizes)
n, total = len(sizes), sum(sizes)
held = [0]
for times in sizes:
    held.append(held[-1] + times)


def break_point():
    """Where x most captured URI-Rs hold 1 - x, between whole numbers of them."""
    for i in range(n):
        before, after = i / n + held[i] / total, (i + 1) / n + held[i + 1] / total
        if after >= 1:
            return (i + (1 - before) / (after - before)) / n
    return 0


profile["urims_per_urir"] = {
    "max": max(sizes, default=0),
    "median": statistics.median(sizes or [0]),
    "mean": statistics.fmean(sizes or [0]),
    "deviation": statistics.pstdev(sizes or [0]),
    "gini": ratio(sum(abs(a - b) * k * m for a, k in spread.items() for b, m in spread.items()), 2 * n * total),
    "break_point": break_point(),
    "curve": [[x, ratio(held[round(x * n)], total)] for x in json.load(open(curve_file))],
}

# Table 5.
names = [(host + ")" + (path or "/") + query, n) for (host, path, query), n in uris.items()]
names.sort(key=lambda name: (-name[1], name[0].encode("utf-8", "surrogateescape")))
profile["top_urirs"] = [{"key": key, "urims": times} for key, times in names[: int(top)]]

# Table 6.
profile["years"], seen, captures = [], set(), 0
for year in sorted(per_year):
    of = per_year[year]
    new = len(of.keys() - seen)
    seen |= of.keys()
    urims = sum(of.values())
    captures += urims
    row = {"year": year, "urirs": len(of), "new_urirs": new, "cumulative_urirs": len(seen), "urims": urims, "cumulative_urims": captures}
    row |= {"duplicates": 1 - new / len(of), "gamma": urims / len(of), "cumulative_gamma": captures / len(seen)}
    row |= {f"status_{d}xx": classes[year][d] / urims for d in "2345"}
    profile["years"].append(row)


# Tables 7 and 8.
def labels(host):
    return host.split(",")


def segments(path):
    return path[1:].split("/") if path else []


exact = defaultdict(lambda: [0, 0, 0])
for host in hosts:
    exact[min(len(labels(host)), 11)][0] += 1
for host, path in keys:
    exact[min(len(labels(host)), 11)][1] += 1
    exact[min(len(segments(path)), 11)][2] += 1
profile["exact_depths"] = [
    {"depth": "11+" if d == 11 else str(d), "hosts": e[0], "host_keys": e[1], "path_keys": e[2]} for d, e in sorted(exact.items())
]


def depth_rows(first, cut):
    """cut returns a key's prefix at a depth, as a tuple that the one above begins, or none."""
    rows = []
    for d in range(first, 11):
        prefixes = Counter(p for p in (cut(key, d) for key in keys) if p is not None)
        if not prefixes:
            continue
        values = sorted(prefixes.values())
        above = Counter(p[:-1] for p in prefixes) if d > first else Counter()
        row = {"depth": d, "prefixes": len(values), "keys": sum(values), "max": values[-1], "mean": statistics.fmean(values)}
        row |= {"median": statistics.median(values), "deviation": statistics.pstdev(values), "reduction": (sum(values) - len(values)) / len(keys)}
        row |= {"parents": len(above), "children": sum(above.values()), "mean_children": ratio(sum(above.values()), len(above))}
        rows.append(row)
    return rows


def cut_host(key, d):
    found = labels(key[0])
    return tuple(found[:d]) if len(found) >= d else None


def cut_path(key, d):
    found = segments(key[1])
    return (key[0], *found[:d]) if len(found) >= d else None


profile["host_depths"] = depth_rows(1, cut_host)
profile["path_depths"] = depth_rows(0, cut_path)
print(json.dumps(profile, ensure_ascii=False))

# The page.
t, d = profile["totals"], profile["urims_per_urir"]


def day(stamp):
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}"


facts = {
    "URI-Ms": count(t["urims"]),
    "URI-Rs": count(t["urirs"]),
    "URI-Ms per URI-R (γ)": short(t["gamma"]),
    "HxPx keys": count(t["keys"]),
    "Hosts": count(t["hosts"]),
    "Of them IP addresses": count(t["addresses"]),
    "First capture": day(t["first"]),
    "Last capture": day(t["last"]),
    "Lines of the index": count(t["lines"]),
    "Index files": count(t["index_files"]) + ", " + size(t["index_bytes"]),
    "Compressed records": size(t["bytes"]),
}
tables = {
    "TLDs with most URI-Ms": [[r["name"], *(count(r[k]) for k in ("urims", "urirs", "keys", "hosts"))] for r in profile["tlds"]],
    "URI-Ms per URI-R": [
        ["Maximum", short(d["max"])],
        ["Median", short(d["median"])],
        ["Mean (γ)", short(d["mean"])],
        ["Standard deviation (σ)", short(d["deviation"])],
        ["Gini coefficient", short(d["gini"])],
        ["Pareto's break point", percent(d["break_point"])],
    ],
    "Most captured URI-Rs": [[r["key"], count(r["urims"])] for r in profile["top_urirs"]],
    "By year": [
        [str(y["year"]), *(count(y[k]) for k in ("urirs", "new_urirs", "cumulative_urirs")), percent(y["duplicates"])]
        + [count(y["urims"]), count(y["cumulative_urims"]), short(y["gamma"]), short(y["cumulative_gamma"])]
        + [percent(y[f"status_{c}xx"]) for c in "2345"]
        for y in profile["years"]
    ],
    "Hosts and HxPx keys by exact depth": [[r["depth"], *(count(r[k]) for k in ("hosts", "host_keys", "path_keys"))] for r in profile["exact_depths"]],
    "HxPx keys by prefix": [
        [f"{letter}{r['depth']}", count(r["prefixes"]), count(r["keys"]), percent(r["reduction"]), count(r["max"])]
        + [short(r[k]) for k in ("mean", "median", "deviation")]
        + [count(r["parents"]), count(r["children"]), short(r["mean_children"])]
        for letter, rows in (("H", profile["host_depths"]), ("P", profile["path_depths"]))
        for r in rows
    ],
}
# What is in the plots stands in tables too.
years = profile["years"]


def by_year(write, names):
    return [[name, str(y["year"]), write(y[k])] for name, k in names.items() for y in years]


def by_depth(write, k):
    return [[name, str(r["depth"]), write(r[k])] for name, kind in (("Host", "host"), ("Path", "path")) for r in profile[kind + "_depths"]]


tables |= {
    "URI-Ms over URI-Rs": [["This collection", percent(x), percent(y)] for x, y in d["curve"]] + [["All alike", "0%", "0%"], ["All alike", "100%", "100%"]],
    "Cumulative growth": by_year(short, {"URI-Ms": "cumulative_urims", "URI-Rs": "cumulative_urirs"}),
    "Status and duplicates": by_year(percent, {**{f"{c}xx": f"status_{c}xx" for c in "2345"}, "Duplicates": "duplicates"}),
    "Reduction by depth (RedQ)": by_depth(percent, "reduction"),
    "Prefixes by depth": by_depth(short, "prefixes"),
}
plots = {name: [f"{row[0]}, {row[1]}: {row[2]}" for row in tables[name]] for name in ("Cumulative growth", "Reduction by depth (RedQ)", "Prefixes by depth")}
plots |= {"URI-Ms over URI-Rs": [len(d["curve"]), 2], "Status and duplicates": [len(years)] * 5}
print(json.dumps({"headline": title, "facts": facts, "tables": tables, "plots": plots}, ensure_ascii=False))
