"""What an index says of captures, from the bytes at their places and by Python's surt.

captures.py at           Standard input: FILE TAB OFFSET TAB LENGTH; an object of JSON a
                         line, with the members that an index has.
captures.py scan TYPES CRAWLERS FILE...
                         a line for each file: FILE, and the offsets of the records in it
                         that belong into an index, which are of some types, separated by
                         commas, and the crawler's own notes if CRAWLERS is not empty; and,
                         behind a bar, that of the first record of which something is
                         wrong, from which on they are not looked for.
"""

import base64
import contextlib
import hashlib
import io
import json
import re
import sys

import records
import robots
import surt
import verified


def uri(r):
    found = r.fields[0][1] if r.version == "ARC" else r.field("WARC-Target-URI") or ""
    return re.sub(r"^<(.*)>$", r"\1", found.strip())


def escaped(url):
    return "".join(c if "!" <= c and c != "\x7f" else "".join(f"%{b:02X}" for b in c.encode()) for c in url)


def key(url):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return surt.surt(url)
    except Exception:
        return None


def timestamp(r):
    """14 digits; what a date leaves out is the first there is."""
    date = r.words[2] if r.is_arc else r.field("WARC-Date") or ""
    digits = re.sub(r"\D", "", re.sub(r"\.\d+", "", date))[:14]
    return digits + "00000101000000"[len(digits) :]


def media_type(r):
    if r.type == "revisit":
        return "warc/revisit"
    if r.type in ("request", "response"):
        declared = r.http_field("Content-Type") if r.head else r.words[3] if r.version == "ARC" else r.field("Content-Type")
        if r.head and not declared and r.version == "ARC":
            declared = r.words[3]
    else:
        declared = r.field("Content-Type")
    declared = re.split(r"[;\s]", (declared or "").strip())[0]
    return "unk" if declared in ("", "no-type", "application/http") else declared


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def usable(declared):
    """Whether a digest can be read, or is of an algorithm that is not known."""
    name, value = verified.sums(declared)
    return bool(value or not name and re.fullmatch(r"[!-9;-~]+:[!-~]+", declared))


def capture(r):
    if r.type == "request":
        n = records.head_length(r.block)
        r.head, r.body = r.block[:n], r.block[n:]
    status = re.match(rb"HTTP/\S*[ \t]+(\d+)", r.head or b"", re.I)
    status = status[1].decode() if status and len(status[1]) == 3 and r.type != "request" else ""
    declared = r.field("WARC-Payload-Digest") or ""
    url = uri(r)
    v = {
        "url": escaped(url),
        "timestamp": timestamp(r),
        "mime": media_type(r),
        "status": status,
        "digest": declared if usable(declared) else ("" if r.type == "revisit" else sha1(r.body)),
        "length": "" if r.fault == "cut off" else str(r.length),
        "redirect": (r.http_field("Location") or "") if status[:1] == "3" else "",
        "truncated": r.field("WARC-Truncated") or "",
        "mime-detected": r.field("WARC-Identified-Payload-Type") or "",
        "robotflags": robots.flags(r, media_type(r)) if r.type == "response" else "",
    }
    if r.version == "ARC" and not r.is_arc:
        del v["timestamp"], v["mime"], v["url"]  # a line of version 2, or a damaged one
        return v
    k = key(url)
    if k is not None and not re.search(r"\s", k):
        v["key"] = k
    return v


def indexed(r, types, crawlers):
    kind = (r.field("Content-Type") or "").split(";")[0].strip()
    if not crawlers and r.type in ("metadata", "resource") and kind in ("application/warc-fields", "text/anvl"):
        return False
    dated = r.is_arc or re.match(r"\d{4}(-\d\d(-\d\d(T|$)|$)|$)", r.field("WARC-Date") or "")
    return r.type in types and uri(r) != "" and bool(dated)


def scan(path, *wanted):
    """The offsets of the records of some types, of all for None, and where something is
    wrong, or the file ends."""
    with open(path, "rb") as f:
        data = f.read()
    offsets, at = [], 0
    while at < len(data):
        r = records.parse(data[at:]) if data[at : at + 2] == b"\x1f\x8b" else plain(data[at:])
        if r is None or r.fault or r.after.strip(b"\r\n") or not (r.version.startswith("WARC/") or r.is_arc):
            break
        end = at + r.length
        while end < len(data) and data[end] in b"\r\n":
            end += 1
        if not begins(data[end : end + 9999]):
            break
        if wanted[0] is None or indexed(r, *wanted):
            offsets.append(at)
        at = end
    return offsets, at


def begins(data):
    """Whether a record begins here, or nothing more."""
    return data[:2] in (b"", b"\x1f\x8b") or data[:5].upper() == b"WARC/" or records.arc_line(records.text(data.split(b"\n")[0].rstrip(b"\r")))


def plain(data):
    """The record that data begin with, which has no bytes behind it."""
    end = records.head_length(data) if data[:5].upper() == b"WARC/" else data.find(b"\n") + 1
    size = re.search(rb"(?im)^content-length:[ \t]*(\d+)" if data[:5].upper() == b"WARC/" else rb" (\d+)\r?$", data[:end].rstrip(b"\n"))
    if not size or end + int(size[1]) > len(data):
        return None
    return records.parse(data[: end + int(size[1])])


def main():
    if sys.argv[1] == "at":
        for line in sys.stdin:
            path, offset, length = line.rstrip("\n").split("\t")
            record = records.at(path, int(offset), int(length) if length else None)
            print(json.dumps(capture(record)))
    else:
        for path in sys.argv[4:]:
            offsets, end = scan(path, sys.argv[2].split(","), sys.argv[3])
            print(path, *offsets, "|", end)


if __name__ == "__main__":
    main()
