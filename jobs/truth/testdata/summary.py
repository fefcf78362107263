"""What summary.sh says, from the index lines alone, which Python reads.

Standard input: JSON, a list of runs: {name, output, lines: [file], samples, hosts}.
Standard output: lines of JSON, [value, place] where all is right, else [value, place, what
the run says, what this program finds].
"""

import collections
import gzip
import json
import re
import sys

import reports
import surt

GROUPS = {
    "html": "HTML", "image": "Image", "css": "CSS", "javascript": "JavaScript", "json": "JSON", "xml": "XML", "plain": "Text",
    "pdf": "PDF", "font": "Font", "audio": "Audio", "video": "Video", "revisit": "Revisit", "other": "Other",
}  # fmt: skip
LETTERS = {"N": "key", "A": "key", "b": "timestamp", "a": "url", "m": "mime", "s": "status", "S": "length"}


def say(value, place, ours, theirs):
    answer = ["summary/" + value, place]
    print(json.dumps(answer if ours == theirs else answer + [json.dumps(ours), json.dumps(theirs)]))


def captures(path):
    """The fields of each capture line; those that are - are empty."""
    columns = "NbamskrMSVg"
    with open(path, "rb") as f:
        packed = f.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rt", encoding="utf-8", errors="replace", newline="\n") as f:
        for line in f:
            line = line.rstrip("\r\n")
            if line.startswith((" CDX ", "CDX ")):
                columns = line.split()[1:]
            elif line.startswith("!") or not line:
                continue
            elif line.endswith("}"):
                key, timestamp, members = line.split(" ", 2)
                c = json.loads(members)
                if not c.get("filename"):
                    timestamp = ""  # no capture of an archive file
                yield {**c, "key": key, "timestamp": timestamp, "status": c.get("status", c.get("status_code", ""))}
            else:
                values = line.split(" ")
                c = {LETTERS[x]: v for x, v in zip(columns, values) if x in LETTERS}
                if len(values) != len(columns):
                    c["timestamp"] = ""  # two lines in one, or a part of one
                yield {k: "" if v == "-" else v for k, v in c.items()}


def group(mime):
    kind, _, subtype = mime.lower().partition("/")
    if subtype in GROUPS or kind in GROUPS:
        return GROUPS[subtype if subtype in GROUPS else kind]
    if subtype.startswith("xhtml"):
        return "HTML"
    if subtype.endswith("+xml") or subtype.startswith("xml-"):
        return "XML"
    return "Other"


def count(prefix, text, separator):
    n = len(text.strip(separator).split(separator)) if text.strip(separator) else 0
    return f"{prefix}{n}" if n < 5 else "Other"


def host_name(key):
    """com,example,www:8080 is www.example.com:8080."""
    name, colon, port = key.partition(":")
    return ".".join(reversed(name.strip(",").split(","))) + colon + port


def summary(all):
    s = collections.Counter()
    keys, hosts, times, samples = set(), collections.Counter(), [], set()
    for c in all:
        key, timestamp = c.get("key") or "", c["timestamp"]
        if ")" not in key and "://" in c["url"]:
            key = surt.surt(c["url"])
        if not (re.fullmatch(r"\d{14}", timestamp, re.A) and 1 <= int(timestamp[4:6]) <= 12):
            s["rejects"] += 1
            continue
        keys.add(key)
        times.append(timestamp)
        s["captures"] += 1
        s["bytes"] += int(c.get("length") or 0)
        host, found, rest = key.partition(")")
        path, _, query = rest.partition("?") if found else ("", "", "")
        if found:
            hosts[host] += 1
        status = c.get("status", "")
        column = f"{status[0]}XX" if re.fullmatch(r"[2-5]..", status) else "Other"
        s["mimestatus", group(c.get("mime", "")), column] += 1
        s["pathquery", count("P", path, "/"), count("Q", query, "&")] += 1
        s["yearmonth", timestamp[:4], timestamp[4:6]] += 1
        if (status, c.get("mime")) == ("200", "text/html") and not path.endswith("/robots.txt"):
            samples.add((timestamp, c["url"]))
    s["urls"], s["hosts"] = len(keys), len(hosts)
    s["first"], s["last"] = min(times, default=""), max(times, default="")
    return s, hosts, samples


def check(run, drawn={}):
    said, place = json.load(open(run["output"] + "/summary.json")), f"- {run['name']}"
    theirs, hosts, samples = summary(c for path in run["lines"] for c in captures(path))
    for name in ("captures", "urls", "hosts", "bytes", "first", "last"):
        say(name, place, said[name], theirs[name])
    for table in ("mimestatus", "pathquery", "yearmonth"):
        ours = {(row, column): n for row, cells in said[table].items() for column, n in cells.items()}
        want = {k[1:]: n for k, n in theirs.items() if k[0] == table and isinstance(k, tuple)}
        for cell in ours.keys() | want.keys():
            say(table, f"{place} {' '.join(cell)}", ours.get(cell, 0), want.get(cell, 0))
    top = sorted(hosts.items(), key=lambda h: (-h[1], h[0].encode()))[: run["hosts"]]
    say("tophosts", place, list(said["tophosts"].items()), [(host_name(k), n) for k, n in top])
    ours = [tuple(x) for x in said["samples"]]
    say("number of samples", place, len(set(ours)), min(run["samples"], len(samples)))
    say("samples are captures", place, sorted(set(ours) - samples), [])
    say("samples by time", place, ours == sorted(ours), True)
    # The same ones, in whatever form and order the same lines come.
    same = drawn.setdefault((frozenset(samples), run["samples"]), ours)
    say("samples again", place, ours, same)
    rejects = sum(1 for _ in open(run["output"] + "/_rejects.tsv"))
    say("rejects", place, rejects, theirs["rejects"])
    say("members", place, sorted(said), sorted("captures urls hosts bytes first last tophosts mimestatus pathquery yearmonth samples".split()))
    check_page(run, said, place)


def check_page(run, said, place):
    """The page shows what is in summary.json."""
    page = reports.read(run["output"] + "/summary.html")
    say("page title", place, page["headline"], run["title"])
    facts = {"Captures": reports.count(said["captures"]), "URLs": reports.count(said["urls"]), "Hosts": reports.count(said["hosts"]),
             "Compressed records": reports.size(said["bytes"])}  # fmt: skip
    for name, key in (("First capture", "first"), ("Last capture", "last")):
        facts[name] = re.sub(r"(....)(..)(..).*", r"\1-\2-\3", said[key]) or "–"
    for name in facts.keys() | page["facts"].keys():
        say(f"page {name}", place, page["facts"].get(name), facts.get(name))
    tables = page["tables"].values()
    for table in ("yearmonth", "mimestatus", "pathquery"):
        # Rows without captures may be left out, and there are sums.
        for row, cells in said[table].items():
            if any(cells.values()):
                shown = [[c for c in r[1:]] for t in tables for r in t if r and r[0] == row]
                numbers = [reports.count(n) if n else "" for n in cells.values()]
                say(f"page {table}", f"{place} {row}", numbers in [[("" if c == "0" else c) for c in r[: len(numbers)]] for r in shown], True)
    rows = [r for t in tables for r in t]
    for host, n in said["tophosts"].items():
        say("page tophosts", f"{place} {host}", [host, reports.count(n)] in [r[:2] for r in rows], True)
    for timestamp, url in said["samples"]:
        say("page samples", f"{place} {timestamp}", any(url in cell for r in rows for cell in r), True)


for run in json.load(sys.stdin):
    check(run)
