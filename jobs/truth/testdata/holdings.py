"""What is known of an archive: lines of its indexes, of its access logs and of maps
(UKVS), and what a map says of a URI; from the formats' definitions, with everything in
memory. It knows nothing of how the programs do it.
"""

import gzip
import json
import re

import surt


def lines(path):
    """The lines of a file, text or gzip."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8", "surrogateescape").split("\n")[: None if not data.endswith(b"\n") else -1]


LETTERS = {"N": "key", "A": "key", "b": "timestamp", "a": "url", "m": "mime", "s": "status", "S": "length"}
LAYOUTS = {9: "N b a m s k r V g", 10: "N b a m s k r M V g", 11: "N b a m s k r M S V g"}


def captures(path):
    """The captures of an index: dictionaries of texts; none stands for a line that is none."""
    layout = None
    for line in lines(path):
        line = line.rstrip("\r")
        if not line:
            continue
        if re.match(" ?CDX . ", line):
            layout = line.split()[1:]
            continue
        m = re.fullmatch(r"(\S+) (\S+) (\{.*\})", line)
        if m:
            try:
                c = {k: str(v) for k, v in json.loads(m[3]).items()}
            except ValueError:
                yield line, None
                continue
            c["key"], c["timestamp"] = m[1], m[2]
        else:
            words = line.split(" ")
            names = layout or LAYOUTS.get(len(words), "").split()
            if len(words) != len(names):
                yield line, None
                continue
            c = {LETTERS[n]: w for n, w in zip(names, words) if n in LETTERS and w != "-"}
        # Some programs write URLs for keys, with or without a scheme.
        if ")" not in c.get("key", "") and "url" in c:
            c["key"] = surt.surt(c["url"])
        yield line, c


class Frequency:
    """[URI-M][/[URI-R]], each with what is known of it and of all that was added up: ?
    stands for a part without a number."""

    def __init__(self, text=""):
        m = re.fullmatch(r"(\d*)([-+~]?)(?:(/)(\d*)([-+~]?))?", text)
        if not m or m[2] and not m[1] or m[5] and not m[4]:
            raise ValueError(text)
        self.numbers = [int(m[1]) if m[1] else None, int(m[4]) if m[4] else None]
        self.marks = [{m[2] if m[1] else "?"} - {""}, {m[5] if m[4] else "?"} - {"", None}]

    @classmethod
    def none(cls):
        f = cls()
        f.marks = [set(), set()]
        return f

    def mark(self, i):
        low, high = self.marks[i] & {"+", "?"}, "-" in self.marks[i]
        return "~" if "~" in self.marks[i] or low and high else "+" if low else "-" if high else ""

    def add(self, other, same=False):
        """same: perhaps of the same URIs, so that the sum of different ones is an upper bound."""
        if same and self.numbers[1] and other.numbers[1]:
            self.marks[1].add("-")
        for i in 0, 1:
            self.marks[i] |= other.marks[i]
            if other.numbers[i] is not None:
                self.numbers[i] = (self.numbers[i] or 0) + other.numbers[i]

    def __str__(self):
        m, r = ("" if n is None else f"{n}{self.mark(i)}" for i, n in enumerate(self.numbers))
        return f"{m}/{r}" if r else m

    def excludes(self):
        return self.numbers[0] == 0 and self.mark(0) != "+"

    def present(self):
        known = [n for n in self.numbers if n is not None]
        return not known or known[0] > 0


def map_lines(path):
    """Headers, and (key, frequency, object) of each line of a map."""
    headers, found = [], []
    for line in lines(path):
        if line.startswith("!"):
            headers.append(line)
        elif line:
            key, frequency, *rest = line.split(" ", 2)
            found.append((key, Frequency(frequency), rest[0] if rest else ""))
    return headers, found


def map_key(surt):
    """The key that a map has for a SURT: without query, fragment and slashes at the end; a
    star that would make it a wildcard, and a ! at its start, are escaped."""
    key = re.split(r"[?#]", surt, maxsplit=1)[0].rstrip("/")
    if re.search(r"(^|[/,])\*$", key):
        key = key[:-1] + "%2a"
    return "%21" + key[1:] if key.startswith("!") else key


def host_of(key):
    """The host of a key, and what stands behind its bracket; none where there is no host."""
    m = re.match(r"([^)]+)\)(?=/|$)", key)
    return (m[1], key[m.end() :]) if m else (None, None)


def covering(key):
    """All keys of a map that cover a key, the most specific one first."""
    yield key
    host, path = host_of(key)
    if host is not None:
        if path == "":
            yield host + ")/"
        parts = path.split("/")
        for n in range(len(parts), 0, -1):
            yield host + ")" + "/".join(parts[:n]) + "/*"
        labels = host.split(",")
        for n in range(len(labels), 0, -1):
            yield ",".join(labels[:n]) + ",*"
    yield "*"


def look_up(table, surt):
    """The line of a map, as a dictionary of keys, that tells of a SURT: its key, or none."""
    return next((k for k in covering(map_key(surt)) if k in table), None)
