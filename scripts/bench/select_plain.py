"""Sums the lengths of texts as a script without a framework does it: it filters the
lines of a CDX file, seeks to the records that are left and inflates these.

Usage: select_plain.py INDEX.cdx ARCHIVES url URL | domain DOMAIN | month YYYYMM
"""

import gzip
import os
import re
import sys
import zlib

CHARSET = re.compile(rb"(?im)^content-type:[^\r\n]*charset=[\"']?([\w.:-]+)")
LENGTH = re.compile(rb"(?im)^content-length:\s*(\d+)")


def unchunk(body):
    out = []
    while body:
        size, _, body = body.partition(b"\r\n")
        n = int(size.split(b";")[0], 16)
        if n == 0:
            break
        out.append(body[:n])
        body = body[n + 2 :]
    return b"".join(out)


def text_length(record):
    head, http, body = record.split(b"\r\n\r\n", 2)
    size = int(LENGTH.search(head).group(1)) - len(http) - 4
    body = body[:size]
    lower = http.lower()
    if b"transfer-encoding: chunked" in lower:
        body = unchunk(body)
    if b"content-encoding: gzip" in lower:
        body = gzip.decompress(body)
    charset = CHARSET.search(http)
    names = [charset.group(1).decode()] if charset else ["utf-8", "windows-1252", "latin-1"]
    for name in names:
        try:
            return len(body.decode(name))
        except (UnicodeDecodeError, LookupError):
            pass
    return len(body.decode("utf-8", "replace"))


def select(index, scenario, what):
    latest = {}
    for line in index:
        fields = line.split(b" ")
        if len(fields) != 11 or fields[4] != b"200":
            continue
        if scenario == "url":
            if fields[2] == what:
                yield fields
        elif scenario == "domain":
            if fields[3] == b"text/html" and fields[0].split(b")")[0].startswith(what):
                yield fields
        elif fields[1].startswith(what) and fields[3].startswith(b"text/"):
            old = latest.get(fields[0])
            if old is None or old[1] < fields[1]:
                latest[fields[0]] = fields
    yield from latest.values()


def main():
    index, archives, scenario, what = sys.argv[1:]
    files, total = {}, 0
    if scenario == "domain":
        what = ",".join(reversed(what.split(".")))
    with open(index, "rb") as lines:
        chosen = sorted(select(lines, scenario, what.encode()), key=lambda f: (f[10], int(f[9])))
    for fields in chosen:
        name = fields[10].strip()
        file = files.get(name)
        if file is None:
            file = files[name] = open(os.path.join(archives, name.decode()), "rb")
        file.seek(int(fields[9]))
        total += text_length(zlib.decompress(file.read(int(fields[8])), 31))
    print(total)


main()
