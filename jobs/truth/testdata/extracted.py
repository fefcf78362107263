"""What jobs/extract.sh has made, against what this program cuts, inflates, hashes and
converts itself at the captures' places.

extracted.py FORMAT MAXIMUM ARCHIVES OUTPUT < LINES

FORMAT is that of the job, MAXIMUM its --max-size in bytes, LINES the captures that it was
given, as CDXJ with all members. A line for each comparison: VALUE TAB PLACE TAB OURS TAB
THEIRS, the last two as JSON.
"""

import base64
import glob
import hashlib
import io
import ipaddress
import json
import os
import re
import sys
import uuid

import records
import warcio.archiveiterator
import fastwarc.warc

form, maximum, archives, output = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]


def tell(value, place, ours, theirs):
    print(value, place, json.dumps(ours), json.dumps(theirs), sep="\t")


def unescaped(field):
    letters = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
    return re.sub(r"\\(?:x(..)|(.))", lambda m: chr(int(m[1], 16)) if m[1] else letters[m[2]], field)


def rows(name):
    with open(f"{output}/{name}", encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        return [[unescaped(x) for x in line.rstrip("\n").split("\t")] for line in f]


def sha1(data, base32=False):
    digest = hashlib.sha1(data)
    return "sha1:" + base64.b32encode(digest.digest()).decode() if base32 else digest.hexdigest()


def source(name, offset, length):
    """The record there, and its bytes in the file, without what closes it."""
    path = f"{archives}/{name}"
    r = records.at(path, offset, length)
    with open(path, "rb") as f:
        f.seek(offset)
        return r, f.read(r.length)


def encoded(text, more=""):
    return re.sub(f"[\x00-\x1f\x7f{more}]", lambda m: f"%{ord(m[0]):02X}", text)


def arc_date(text):
    """ISO 8601 of the digits of an ARC date, where it is one."""
    digits = re.match(r"\d*", text)[0][:14]
    if len(digits) < 10:
        return None
    digits = list(digits.ljust(14, "0"))
    for at in 4, 6:
        if digits[at : at + 2] == ["0", "0"]:
            digits[at + 1] = "1"
    d = "".join(digits)
    return f"{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:]}Z"


def token(text):
    return re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", text) is not None


def is_type(text):
    parts = re.split(r"[;\s]", text.strip())[0].split("/", 1)
    return len(parts) == 2 and token(parts[0]) and token(parts[1])


def as_warc(r, line):
    """The fields that an ARC record has as a WARC record, but for its id."""
    address, date = r.words[1], r.words[2]
    if re.fullmatch(r"\d{14}", address):
        address, date = date, address  # exchanged by an old crawler
    try:
        address = str(ipaddress.ip_address(address))
    except ValueError:
        address = ""
    http = re.match(r"https?:", r.words[0], re.I) and re.match(rb"HTTP/", r.block, re.I)
    body = r.body if http else r.block
    cut = r.words[-1].isdigit() and int(r.words[-1]) > len(r.block)
    fields = {
        "WARC-Truncated": "unspecified" if cut else "",
        "WARC-Type": "response" if http else "resource",
        "WARC-Target-URI": encoded(r.words[0], " "),
        "WARC-Date": arc_date(date),
        "WARC-IP-Address": "" if address in ("0.0.0.0", "::") else address,
        "WARC-Block-Digest": sha1(r.block, True),
        "WARC-Payload-Digest": sha1(body, True),
        "ARC-Header-Line": encoded(line),
        "Content-Type": "application/http; msgtype=response" if http else encoded(r.words[3]) if is_type(r.words[3]) else "application/octet-stream",
        "Content-Length": str(len(r.block)),
    }
    return {k: v for k, v in fields.items() if v}


def as_arc(r):
    """The ARC line of a WARC record."""
    media = (r.http_field("Content-Type") if r.head else r.field("Content-Type")) or ""
    media = media.split(";")[0].strip()
    digits = re.sub(r"\D", "", re.sub(r"\.\d+", "", r.field("WARC-Date")))[:14]
    return [
        encoded(re.sub(r"^<(.*)>$", r"\1", r.field("WARC-Target-URI")), " "),
        r.field("WARC-IP-Address") or "0.0.0.0",
        digits + "00000101000000"[len(digits) :],
        media if re.fullmatch(r"\S+/\S+", media) else "no-type",
        str(len(r.block)),
    ]


def refusal(r):
    """Whether a record has no place in the output, by the standards."""
    if r.type != "warcinfo" and (r.fault and "length" not in r.fault and "bytes of" not in r.fault):
        return "damaged"
    if form == "arc" and r.version != "ARC":
        if r.type not in ("response", "resource") or r.field("WARC-Segment-Number"):
            return "no ARC form"
    return ""


def kind_of(reason):
    for kind, said in ("damaged", "damaged gzip member: "), ("no ARC form", "has no arc form: "):
        if said in reason:
            return kind
    return reason


def members(path):
    """Offset, length and record of each record of an output file."""
    with open(path, "rb") as f:
        data = f.read()
    at = 0
    while at < len(data):
        r = records.parse(data[at : at + (1 << 16)])
        if r.fault or len(data) > at + (1 << 16) and path.endswith(".gz") is False:
            r = records.parse(data[at:])
        length = r.length
        if not path.endswith(".gz"):
            length += len(re.match(rb"[\r\n]*", r.after)[0])
        yield at, length, r
        at += length


def by_warcio(copy):
    r = next(iter(warcio.archiveiterator.ArchiveIterator(io.BytesIO(copy), no_record_parse=True)))
    return r.rec_headers.get_header("uri" if r.format == "arc" else "WARC-Target-URI"), r.raw_stream.read()


def by_fastwarc(copy):
    r = next(iter(fastwarc.warc.ArchiveIterator(io.BytesIO(copy), parse_http=False)))
    return r.headers.get("WARC-Target-URI"), r.reader.read()


def read_by(library, copy):
    """URL, and digest of the block, of the record that some bytes are, as a library has
    them; or what it says."""
    try:
        url, block = library(copy)
    except Exception as e:
        return repr(e), ""
    return encoded(re.sub("^<(.*)>$", r"\1", url or ""), " "), sha1(block)


def convertible(r):
    return form != "same" and (r.version == "ARC") != (form == "arc")


manifest = {(f[3], int(f[4])): f for f in rows("manifest.tsv")}
tell("extract/manifest lines", "- -", len(rows("manifest.tsv")), len(manifest))
refused = {}
for stage, reason, line in rows("_rejects.tsv"):
    c = json.loads(line.split(" ", 2)[2])
    refused[c["filename"], int(c["offset"])] = reason

index, wanted = [], {}
for line in sys.stdin:
    key, timestamp, text = line.rstrip("\n").split(" ", 2)
    c = json.loads(text)
    at = c["filename"], int(c["offset"])
    place = f"{at[0]} {at[1]}"
    r, data = source(*at, int(c["length"]) if c.get("length") else None)
    tell(f"extract/{form} refused", place, kind_of(refused.get(at, "")), refusal(r))
    if at not in manifest:
        continue
    name, offset, length, _, _, url = manifest[at]
    offset, length = int(offset), int(length)
    tell(f"extract/{form} url", place, url, c["url"])
    with open(f"{output}/{name}", "rb") as f:
        f.seek(offset)
        copy = f.read(length)
    made = records.parse(copy, whole=r.misled)
    claimed = records.parse(copy)
    claimed = made if claimed.fault.startswith("length") else claimed
    for name_of, library in ("warcio", by_warcio), ("FastWARC", by_fastwarc):
        if library is by_warcio or made.version != "ARC":  # FastWARC does not read it
            theirs = read_by(library, copy)
            tell(f"extract/{form} URL by {name_of}", place, c["url"], theirs[0])
            tell(f"extract/{form} block by {name_of}", place, sha1(claimed.block), theirs[1])
    wanted.setdefault(name, []).append((offset, length))
    tell(f"extract/{form} block", place, sha1(made.block), sha1(r.block))
    kind = "arc" if (r.version == "ARC") != convertible(r) else "warc"
    plain = data[:2] != b"\x1f\x8b" and not convertible(r) and not r.misled
    tell(f"extract/{form} file", place, name.split(".", 1)[1], kind + ("" if plain else ".gz"))
    if not convertible(r):
        if r.misled and data[:2] != b"\x1f\x8b":
            copy = records.inflate(copy, 31)[0]
        tell(f"extract/{form} bytes", place, sha1(copy[: len(data)]), sha1(data))
        if plain:
            end = rb"(\r?\n)+" if r.version == "ARC" else rb"\r?\n\r?\n[\r\n]*"
            tell(f"extract/{form} closed", place, bool(re.fullmatch(end, copy[len(data) :])), True)
        else:
            tell(f"extract/{form} closed", place, copy[len(data) :].strip(b"\r\n").decode("latin-1"), "")
    elif form == "warc":
        theirs = as_warc(r, r.line)
        ours = dict(made.fields)
        tell("extract/warc WARC-Record-ID", place, str(uuid.UUID(ours.pop("WARC-Record-ID").strip("<>"))) != "", True)
        for field in ours | theirs:
            tell(f"extract/warc {field}", place, ours.get(field, ""), theirs.get(field, ""))
    else:
        for field, mine, other in zip(("URL", "address", "date", "type", "length"), made.words, as_arc(r)):
            tell(f"extract/arc {field}", place, mine, other)
    for member in "length", "offset", "filename":
        c.pop(member, None)
    c.update(length=str(length), offset=str(offset), filename=name)
    index.append(f"{key} {timestamp} {json.dumps(c)}\n")

with open(f"{output}/index.cdxj") as f:
    for ours, theirs in zip(f.readlines() + [""] * len(index), sorted(index)):
        c = json.loads(theirs.split(" ", 2)[2])
        tell(f"extract/{form} index line", f"{c['filename']} {c['offset']}", ours, theirs)


def header(name, made, first):
    """The record that a file begins with."""
    tell(f"extract/{form} header name", f"{name} 0", made.words[0][11:] if made.version == "ARC" else made.field("WARC-Filename"), name)
    ours = made.words[2] if made.version == "ARC" else re.sub(r"\D", "", made.field("WARC-Date"))
    theirs = first.words[2] if first.version == "ARC" else re.sub(r"\D", "", re.sub(r"\.\d+", "", first.field("WARC-Date")))
    tell(f"extract/{form} header date", f"{name} 0", ours, theirs[:14].ljust(14, "0"))
    if made.version != "ARC":
        tell(f"extract/{form} header digest", f"{name} 0", made.field("WARC-Block-Digest"), sha1(made.block, True))
    else:
        tell(f"extract/{form} header block", f"{name} 0", made.block.decode(), "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n")


for path in sorted(glob.glob(f"{output}/*arc*")):
    name = os.path.basename(path)
    found = list(members(path))
    header(name, found[0][2], found[1][2])
    tell(f"extract/{form} places", f"{name} -", [m[:2] for m in found[1:]], sorted(wanted.pop(name)))
    size = sum(m[1] for m in found[1:])
    tell(f"extract/{form} size", f"{name} -", size <= maximum or len(found) == 2, True)
tell(f"extract/{form} files", "- -", sorted(wanted), [])
