"""What single stages print, from Python's libraries.

stages.py checksums           PATH TAB NAME a line; NAME, SHA-256 and size
stages.py keys                URLs; key and URL, with no key where surt has none
stages.py records FILE...     as warcio reads them: URL, archive, offset and length of each;
                              files in which it finds damage are left out
stages.py captures INDEX      objects of JSON with the options of a lookup and its queries;
                              for each a list of lines
stages.py measure MAP ARGUMENT...   numbers of lines by weights (those in standard input), of
                              keys, and families by depth, as an object
"""

import contextlib
import hashlib
import io
import json
import re
import sys
from datetime import datetime

import holdings
import surt


def checksums():
    for line in sys.stdin:
        path, name = line.rstrip("\n").split("\t")
        with open(path, "rb") as f:
            data = f.read()
        print(name, hashlib.sha256(data).hexdigest(), len(data), sep="\t")


def keys():
    for line in sys.stdin.read().split("\n")[:-1]:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                key = surt.surt(line)
        except Exception:
            key = ""
        print(re.sub(r"\s", lambda m: f"%{ord(m[0]):02x}", key), line, sep="\t")


def records(paths):
    from warcio.archiveiterator import ArchiveIterator

    for path in paths:
        found = []
        try:
            with open(path, "rb") as f, contextlib.redirect_stderr(io.StringIO()):
                packed = f.read(2) == b"\x1f\x8b"
                f.seek(0)
                records = ArchiveIterator(f, no_record_parse=True, arc2warc=True)
                for record in records:
                    uri = record.rec_headers.get_header("WARC-Target-URI") or "-"
                    arc = re.search(r"\.arc(\.gz)?$", path)
                    if arc and record.rec_type == "warcinfo":
                        uri = "filedesc://" + record.rec_headers.get_header("WARC-Filename")
                    size = sum(len(piece) for piece in iter(lambda: record.raw_stream.read(1 << 16), b""))
                    if not (arc and record.rec_type == "warcinfo") and size < int(record.rec_headers.get_header("Content-Length")):
                        raise ValueError("cut off, which warcio does not notice")
                    offset = records.get_record_offset()
                    length = records.get_record_length() if packed else ""
                    uri = re.sub("[\x00-\x1f]", lambda m: f"%{ord(m[0]):02X}", re.sub("^<(.*)>$", r"\1", uri))
                    found.append((uri, path, offset, length))
        except Exception:
            continue
        if records.err_count:
            continue
        for row in found:
            print(*row, sep="\t")
        print("", path, "", len(found), sep="\t")


def seconds(stamp):
    return datetime.strptime((stamp + "00000101000000"[len(stamp) :])[:14], "%Y%m%d%H%M%S").timestamp()


def host_of(key):
    m = re.match(r"([^/]*?)(?::(\d+))?\)/", key)
    return (m[1], m[2]) if m else (None, None)


class Index:
    def __init__(self, path):
        self.lines = {}  # by key
        for line in holdings.lines(path):
            self.lines.setdefault(line.split(" ")[0], []).append(line)
        self.hosts = {key: host_of(key) for key in self.lines}

    def find(self, key, match, end=""):
        host, port = host_of(key)
        for k in self.lines:
            h, p = self.hosts[k]
            if match == "exact":
                held = k == key
            elif match == "prefix":
                held = k == key or k.startswith(key + end)
            elif host is None:
                held = False
            elif match == "host":
                held = h == host and port in (None, p)
            else:
                held = h is not None and (h == host or h.startswith(host + ","))
            if held:
                yield from self.lines[k]

    def look_up(self, query, o):
        match, end = o.get("match", "exact"), ""
        if "match" not in o and query.endswith("*"):
            query, match = query[:-1], "prefix"
        elif "match" not in o and query.startswith("*."):
            query, match = query[2:], "domain"
        key = query if o.get("keys") else surt.surt(query)
        if match == "prefix":
            end = next((e for e in "/?" if query.endswith(e) and not key.endswith(e)), "")
        found = sorted(self.find(key, match, end), key=lambda line: line.encode())
        stamp = {line: line.split(" ")[1] for line in found}
        found = [line for line in found if stamp[line][: len(o.get("from", ""))] >= o.get("from", "")]
        found = [line for line in found if stamp[line][: len(o.get("to", ""))] <= o.get("to", "") or not o.get("to")]
        if o.get("closest"):
            found.sort(key=lambda line: abs(seconds(stamp[line]) - seconds(o["closest"])))
        return found[: o.get("limit") or None]


def captures(path):
    index = Index(path)
    for line in sys.stdin:
        o = json.loads(line)
        print(json.dumps([line for query in o["queries"] for line in index.look_up(query, o)]))


def measure(path, arguments):
    import mementomap

    o = mementomap.parser.parse_args(arguments)
    tree = mementomap.Tree(holdings.map_lines(path)[1])
    means, _ = mementomap.shape(o, tree.families())
    answer = {}
    for pair in json.load(sys.stdin):
        weights = dict(zip(("host", "path"), map(float, pair)))
        answer[f"lines {pair[0]} {pair[1]}"] = str(len(tree.compact(tree.events(mementomap.cutoffs(weights, means)))))
    for (kind, depth), (parents, children) in tree.families().items():
        if depth <= 8:
            answer[f"{kind} {depth}"] = f"{parents} {children}"
    answer["keys"] = str(len(tree.keys))
    for i, name in enumerate(("captures", "uris")):
        answer[name] = str(sum(f.numbers[i] or 0 for _, f, _, _, _ in tree.keys))
    print(json.dumps(answer))


if sys.argv[1] == "checksums":
    checksums()
elif sys.argv[1] == "keys":
    keys()
elif sys.argv[1] == "records":
    records(sys.argv[2:])
elif sys.argv[1] == "captures":
    captures(sys.argv[2])
else:
    measure(sys.argv[2], sys.argv[3:])
