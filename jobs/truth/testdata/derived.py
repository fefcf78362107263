"""What jobs/derive.sh has made, against what this program and others' libraries find in the
records that it was made of.

derived.py ARCHIVES OUTPUT

A line for each comparison: VALUE TAB PLACE TAB OURS TAB THEIRS, the last two as JSON.
"""

import base64
import datetime
import hashlib
import json
import multiprocessing
import os
import re
import struct
import sys
import zlib

import captures
import charsets
import pages
import records
from records import fields_of, text

archives, output = sys.argv[1:]
LIMIT = 8 << 20  # bytes of a payload that is parsed here


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def grouped(fields):
    """Named fields, those of one name as a list."""
    found = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return {k: v if len(v) > 1 else v[0] for k, v in found.items()}


def all_records(path):
    """The records of a derivative, which has a gzip member for each."""
    with open(path, "rb") as f:
        data, at = f.read(), 0
    while at < len(data):
        r = records.parse(data[at : at + (1 << 16)])
        if r.fault:
            r = records.parse(data[at:])
        yield r
        at += r.length


def derivative(name, kind):
    stem = name.removesuffix(".gz")
    if stem == name and os.path.exists(f"{archives}/{name}.gz"):
        stem += ".plain"
    return f"{output}/{kind}/{stem}.{kind}.gz"


def source(path, offset, inner):
    """The record there; the one that is so many records behind the first in its member."""
    with open(path, "rb") as f:
        f.seek(offset)
        r = records.at(path, offset, 1 << 17 if f.read(2) == b"\x1f\x8b" else None)
        if r.fault:
            r = records.at(path, offset)
        f.seek(offset)
        raw = f.read(r.length)
    r.member = raw if raw[:2] == b"\x1f\x8b" else None
    if not r.member:
        return r
    inflated, _, fault = records.inflate(raw, 31)
    if inner or r.misled or r.after.strip(b"\r\n"):
        r = within(inflated, inner)
        r.length = len(raw)
    r.member, r.inflated, r.fault = raw, inflated, r.fault or fault
    return r


def within(data, inner):
    """A record of a gzip member that has several. One that is not as long as its header says
    ends where the next begins."""
    while True:
        data = data.lstrip(b"\r\n")
        r = records.parse(data)
        if r.fault or records.stray(r.after.lstrip(b"\r\n")):
            end = records.next_record(data)
            r = records.parse(data[:end], whole=True)
            r.after = data[end:]
        if inner == 0:
            return r
        data, inner = r.after, inner - 1


def gzip_parts(r):
    """Gzip-Metadata, by RFC 1952."""
    m, flags, at = r.member, r.member[3], 10
    v = {"Deflate-Length": str(len(m)), "Footer-Length": "8", "Inflated-Length": str(len(r.inflated))}
    v["Inflated-CRC"] = str(struct.unpack("<i", struct.pack("<I", zlib.crc32(r.inflated)))[0])
    if flags & 4:
        end = at + 2 + int.from_bytes(m[at : at + 2], "little")
        v["F-Extra"], at = [], at + 2
        while at < end:
            n = int.from_bytes(m[at + 2 : at + 4], "little")
            value = m[at + 4 : min(at + 4 + n, end)]
            name = m[at : at + 2].decode()
            v["F-Extra"].append({"Name": name, "Value": int.from_bytes(value, "little") if name in ("LX", "SL") else value.hex()})
            at += 4 + n
        at = end
    if flags & 8:
        v["Filename"] = text(m[at : m.index(0, at)])
        at = m.index(0, at) + 1
    if flags & 16:
        v["Comment-Length"] = str(m.index(0, at) - at)
        at = m.index(0, at) + 1
    if flags & 2:
        v["Header-CRC"] = str(int.from_bytes(m[at : at + 2], "little"))
        at += 2
    v["Header-Length"] = str(at)
    return v


def flat(path, value):
    """A tree of members as PATH and value; fields that an archive names are one value."""
    named = re.search("(Header-Metadata|/Headers|Info-Metadata|Data|Metadata-Records|Entries|F-Extra|Head|Links)$", path)
    if isinstance(value, dict) and not named:
        for k, v in value.items():
            yield from flat(f"{path}/{k}", v)
    else:
        yield path, value


def message(r, head, body):
    v = {"Headers-Length": str(len(head)), "Headers": grouped(fields_of(head.split(b"\n", 1)[-1]))}
    said = next((x for k, x in fields_of(head.split(b"\n", 1)[-1]) if k.lower() == "content-length"), "")
    size = int(said) if re.fullmatch(r"\+?\d+", said) else len(body)
    v["Entity-Length"] = str(min(size, len(body)))
    v["Entity-Digest"] = sha1(body[:size])
    v["Entity-Trailing-Slop-Length"] = str(len(body) - min(size, len(body)))
    return v


def response(r):
    words = text(r.head.split(b"\n")[0].strip()).split(" ", 1)
    rest = (words[1] if len(words) > 1 else "").lstrip(" ").split(" ", 1)
    reason = rest[1].strip() if len(rest) > 1 else ""
    return {"Response-Message": {"Status": rest[0], "Version": words[0], "Reason": reason or "UNK"}} | message(r, r.head, r.body)


def request(r):
    n = records.head_length(r.block)
    words = text(r.block.split(b"\n")[0]).split()
    return {"Request-Message": dict(zip(("Method", "Path", "Version"), words))} | message(r, r.block[:n], r.block[n:])


def dns(block):
    first, _, rest = block.partition(b"\n")
    entries = []
    for line in text(rest).split("\n"):
        f = line.split()
        if len(f) >= 5:
            entry = {"Name": f[0], "Net-Class": f[2], "Type": f[3], "Value": " ".join(f[4:])}
            entries.append(entry | ({"TTL": int(f[1])} if f[1].isdigit() else {}))
    return {"Date": text(first.strip()), "Entries": entries}


def has_lines_without_colon(block):
    return any(x.strip() and x[:1] not in b" \t" and b":" not in x for x in block.split(b"\n"))


def envelope(r):
    v = {"Format": "ARC" if r.version == "ARC" else r.version.upper()}
    v[f"{'ARC' if r.version == 'ARC' else 'WARC'}-Header-Length"] = str(r.header)
    kind = (r.field("Content-Type") or "").split(";")[0].strip().lower() if r.version != "ARC" else r.words[3].split(";")[0].lower() if r.is_arc else ""
    if r.version == "ARC":
        if r.is_arc:
            v["ARC-Header-Metadata"] = dict(zip(("Target-URI", "IP-Address", "Date", "Content-Type", "Content-Length"), r.words))
    else:
        v["WARC-Header-Metadata"] = grouped(r.fields)
    p = v["Payload-Metadata"] = {"Actual-Content-Length": str(len(r.block)), "Block-Digest": sha1(r.block)}
    fields = kind in ("application/warc-fields", "text/anvl", "text/x-anvl")
    if r.type == "warcinfo" and r.version == "ARC":
        p["Actual-Content-Type"] = "alexa/filedesc"
    elif r.type == "warcinfo":
        p["Actual-Content-Type"] = "application/warc-fields"
        p["WARC-Info-Metadata"] = grouped(fields_of(r.block))
        if has_lines_without_colon(r.block):
            p["Headers-Corrupt"] = True
    elif r.head:
        p["Actual-Content-Type"] = "application/http; msgtype=response"
        p["HTTP-Response-Metadata"] = response(r)
    elif r.type == "request" and r.block:
        p["Actual-Content-Type"] = "application/http; msgtype=request"
        p["HTTP-Request-Metadata"] = request(r)
    elif kind == "text/dns" and r.type in ("response", "resource"):
        p["Actual-Content-Type"], p["DNS-Metadata"] = "text/dns", dns(r.block)
    elif r.type == "metadata" and fields:
        p["Actual-Content-Type"] = "application/metadata-fields"
        p["WARC-Metadata-Metadata"] = {"Metadata-Records": [{"Name": k, "Value": x} for k, x in fields_of(r.block)]}
        if has_lines_without_colon(r.block):
            p["WARC-Metadata-Metadata"]["FIELDS_CORRUPT"] = True
    return v


def html_parts(html):
    """The parts of HTML-Metadata in the form of pages.py."""
    head = html.get("Head", {})
    links = [x for name in ("Link", "Scripts") for x in head.get(name, [])] + html.get("Links", [])
    metas = [{k: x for k, x in m.items()} for m in head.get("Metas", []) if not m.get("name", "").startswith("HTML@/")]
    lang = [m["content"] for m in head.get("Metas", []) if m.get("name") == "HTML@/lang"]
    lang += [m["content"] for m in head.get("Metas", []) if m.get("name") == "HTML@/xml:lang"]
    return {
        "links": sorted({lines(x["path"] + " " + x["url"]) for x in links if "url" in x and not x["path"].endswith("@/onclick")}),
        "meta": metas,
        "title": head.get("Title"),
        "lang": lang[0] if lang else None,
    }


def lines(s):
    return re.sub("\r\n?", "\n", s)


def with_lines(value):
    """The same with line feeds: attributes here are as written, a browser's parser changes
    line ends in them."""
    if isinstance(value, str):
        return lines(value)
    if isinstance(value, list):
        return [with_lines(x) for x in value]
    return {k: with_lines(x) for k, x in value.items()} if isinstance(value, dict) else value


def squeezed(s):
    return re.sub(r"\s", "", re.sub("[\x00-\x20\x7f\xa0]", "", s))


class Told:
    def __init__(self):
        self.all = []

    def __call__(self, value, place, ours, theirs):
        self.all.append((f"derive/{value}", place, json.dumps(ours, sort_keys=True), json.dumps(theirs, sort_keys=True)))


def uri(r):
    found = r.words[0] if r.version == "ARC" else r.field("WARC-Target-URI") or ""
    found = re.sub(r"^<(.*)>$", r"\1", found)
    if not found and r.type == "warcinfo":
        found = r.field("WARC-Filename") or ""
    return re.sub("[\x00-\x1f\x7f]", lambda m: f"%{ord(m[0]):02X}", found)


def date(r):
    """As WARC/1.0 has it; nothing where it is none."""
    said = (r.words[2] if r.is_arc else "") if r.version == "ARC" else r.field("WARC-Date") or ""
    d = re.sub(r"\D", "", re.sub(r"\.\d+", "", said))[:14]
    try:
        return datetime.datetime.strptime(d + "00000101000000"[len(d) :], "%Y%m%d%H%M%S").isoformat() + "Z"
    except ValueError:
        return ""


def header(tell, kind, place, made, r, name, at, otherwise):
    tell(f"{kind} WARC-Type", place, made.type, {"wet": "conversion"}.get(kind, "metadata"))
    tell(f"{kind} WARC-Target-URI", place, made.field("WARC-Target-URI") or "", uri(r))
    tell(f"{kind} WARC-Date", place, made.field("WARC-Date"), date(r) or otherwise)
    refers = r.field("WARC-Record-ID") if r.version != "ARC" else None
    tell(f"{kind} WARC-Refers-To", place, made.field("WARC-Refers-To"), refers or f"<urn:{'arc' if r.version == 'ARC' else 'warc'}:{name}:{at}>")
    tell(f"{kind} WARC-Block-Digest", place, made.field("WARC-Block-Digest"), sha1(made.block))
    tell(f"{kind} Content-Type", place, made.field("Content-Type"), {"wat": "application/json", "wet": "text/plain", "meta": "application/warc-fields"}[kind])


def compare_page(tell, place, html, wet, r, data, meta):
    kind = r.http_field("Content-Type") if r.head else None if r.type == "response" else r.field("Content-Type")
    name, skip = charsets.charset(data, kind)
    said = json.loads(meta.get("Charset-Detected", "{}")).get("encoding")
    if name and said:
        tell("meta Charset-Detected encoding", place, said, name)
    if not (name or said):
        return
    decoded = charsets.decode(data[skip:], name or said)
    media = (kind or "").split(";")[0].strip().lower()
    if html is not None:
        page = pages.page(decoded)
        for part, ours in html_parts(html).items():
            theirs = page[part]
            if part == "meta":
                theirs = [{k: x for k, x in m.items() if k != "charset"} for m in theirs if list(m) != ["charset"]]
            if part == "links":
                theirs = sorted({lines(x) for x in theirs})
            tell(f"wat HTML-Metadata {part}", place, with_lines(ours), with_lines(theirs))
        tell("wet text", place, squeezed(wet), page["text"])
    elif media == "text/plain":
        tell("wet plain text", place, squeezed(wet), squeezed(decoded))


def compare(tell, place, w, r, wet, meta):
    """A WAT record, the JSON of which is w, and those of WET and META with the record."""
    ours = w["Envelope"]
    html = ours["Payload-Metadata"].get("HTTP-Response-Metadata", {}).pop("HTML-Metadata", None)
    ours["Payload-Metadata"].pop("Filedesc-Metadata", None)
    ours["Payload-Metadata"].pop("Trailing-Slop-Length", None)
    a, b = dict(flat("", ours)), dict(flat("", envelope(r)))
    if r.version == "ARC" and not r.is_arc:
        a.pop("/ARC-Header-Metadata")
    for member in a | b:
        tell(f"wat {member.strip('/').replace('/', '.')}", place, a.get(member), b.get(member))
    c = w["Container"]
    tell("wat Container.Compressed", place, c["Compressed"], r.member is not None)
    if "Gzip-Metadata" in c:
        theirs = gzip_parts(r)
        for member in c["Gzip-Metadata"] | theirs:
            tell(f"wat Container.Gzip-Metadata.{member}", place, c["Gzip-Metadata"].get(member), theirs.get(member))
    data, fault = records.payload(r) if len(r.block) < LIMIT else (b"", "")
    if len(data) > LIMIT or r.type not in ("response", "resource") or fault or not data:
        return
    kind = (r.http_field("Content-Type") if r.head else r.words[3] if r.is_arc else r.field("Content-Type")) or ""
    kind = re.split(r"[;\s]", kind.strip())[0].encode().lower().decode()  # ASCII alone
    tell("meta record", place, bool(meta), kind != "text/dns")
    if meta:
        tell("meta Identified-Payload-Type server", place, json.loads(meta["Identified-Payload-Type"]).get("server", ""), kind)
    compare_page(tell, place, html, wet, r, data, meta)


def archive(name):
    """All comparisons of an archive file."""
    tell, path = Told(), f"{archives}/{name}"
    found, inner, otherwise = {}, {}, ""
    for kind in ("wat", "wet", "meta"):
        for m in all_records(derivative(name, kind)):
            if m.type == "warcinfo":
                tell(f"{kind} WARC-Filename", f"{name} -", m.field("WARC-Filename"), os.path.basename(derivative(name, kind)))
                tell(f"{kind} warcinfo digest", f"{name} -", m.field("WARC-Block-Digest"), sha1(m.block))
            else:
                found.setdefault(kind, []).append(m)
    others = {k: {} for k in ("wet", "meta")}
    for kind in others:
        for m in found.get(kind, []):
            others[kind].setdefault(m.field("WARC-Refers-To"), []).append(m)
    ids = set()
    for m in found.get("wat", []):
        w = json.loads(m.block)
        offset = int(w["Container"]["Offset"])
        place = f"{name} {offset}"
        r = source(path, offset, inner.get(offset, 0))
        first = inner.get(offset, 0) == 0
        otherwise = otherwise or date(r) or "1970-01-01T00:00:00Z"  # the first record's counts for those without
        inner[offset] = inner.get(offset, 0) + 1
        tell("wat Container.Filename", place, w["Container"]["Filename"], name)
        if first:
            header(tell, "wat", place, m, r, name, offset, otherwise)
        near = {kind: (others[kind].get(m.field("WARC-Refers-To")) or [None]).pop(0) for kind in others}
        for kind, x in near.items():
            if x and first:
                header(tell, kind, place, x, r, name, offset, otherwise)
        ids.update(x.field("WARC-Record-ID") for x in [m, *near.values()] if x)
        meta = dict(fields_of(near["meta"].block)) if near["meta"] else {}
        compare(tell, place, w, r, near["wet"].block.decode() if near["wet"] else "", meta)
    # Records of every type have one, those of one gzip member each.
    offsets, end = captures.scan(path, None, True)
    tell("wat records", f"{name} -", sorted(at for at in inner if at < end), offsets)
    tell("records about nothing", f"{name} -", [k for kind in others.values() for k, v in kind.items() if v], [])
    return tell.all


if __name__ == "__main__":
    with multiprocessing.Pool() as pool:
        names = sorted(os.listdir(archives), key=lambda n: -os.path.getsize(f"{archives}/{n}"))
        for told in pool.imap_unordered(archive, names):
            for line in told:
                print(*line, sep="\t")
