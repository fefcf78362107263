"""The lines of links between hosts that jobs/derive.sh has made, against the links in the
WAT files of the same archive files.

linklines.py OUTPUT

A line for each comparison: VALUE TAB PLACE TAB OURS TAB THEIRS, the last two as JSON.
"""

import collections
import glob
import gzip
import json
import os
import sys

import hosts

(output,) = sys.argv[1:]


def told(path):
    found, pages = collections.Counter(), set()
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as f:
        for line in f:
            source, target, kind, n = line.rstrip("\n").split("\t")
            pages.add(source)
            if target:
                found[source, target, kind] += int(n)
    return found, pages


for path in sorted(glob.glob(f"{output}/wat/*.wat.gz")):
    stem = os.path.basename(path).removesuffix(".wat.gz").removesuffix(".plain")
    names = [stem] if os.path.basename(path).endswith(".plain.wat.gz") else [stem + ".gz", stem]
    name = next(n for n in names if os.path.exists(f"{output}/links/{n}.links.gz"))
    ours, pages = told(f"{output}/links/{name}.links.gz")
    links = list(hosts.links(path))
    theirs = collections.Counter(x for x in links if x[1])
    for value, a, b in (("links", ours, theirs), ("links of pages", pages, {x[0] for x in links})):
        # Only what differs is told.
        differ = [[list(x) if isinstance(x, tuple) else x for x in sorted(y)] for y in (a - b, b - a)]
        print(f"derive/{value}", f"{name} -", *map(json.dumps, differ), sep="\t")
    print("derive/links in all", f"{name} -", sum(ours.values()), len([x for x in links if x[1]]), sep="\t")
