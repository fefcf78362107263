"""What jobs/dataset.sh has published, against the files themselves, the archive files that
it was given, and lines of an index of these.

published.py OUTPUT CRAWL SIZE NAME=FOLDER... < LINES

SIZE is that of the segments, the folders are those of the partitions, LINES are their
captures as CDXJ with all members. A line for each comparison: VALUE TAB PLACE TAB OURS TAB
THEIRS, the last two as JSON.
"""

import datetime
import glob
import gzip
import hashlib
import json
import os
import subprocess
import sys

import pyarrow.parquet
import records

output, crawl, size, *partitions = sys.argv[1:]
data = f"crawl-data/{crawl}"


def tell(value, place, ours, theirs):
    print(f"dataset/{value}", place.replace("/", "--"), json.dumps(ours, sort_keys=True), json.dumps(theirs, sort_keys=True), sep="\t")


def text(name):
    with gzip.open(f"{output}/{name}", "rt", encoding="utf-8", errors="surrogateescape") as f:
        return f.read().splitlines()


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


# Files, checksums, lists and sizes.
files = sorted(
    os.path.relpath(os.path.join(folder, name), output)
    for top in (f"{data}/segments", "collections", "table")
    for folder, _, names in os.walk(f"{output}/{top}")
    for name in names
)
tell("sha256", "- -", text(f"{data}/sha256.txt.gz"), [f"{sha256(f'{output}/{f}')}  {f}" for f in files])
kinds = {f: f.split("/")[4] if f.startswith("crawl-data") else "table" if f.startswith("table") else "index" for f in files}
for kind in "warc", "wat", "wet", "meta", "cdx", "index", "table":
    tell(f"{kind}.paths", "- -", text(f"{data}/{kind}.paths.gz"), [f for f in files if kinds[f] == kind])
segments = sorted({"/".join(f.split("/")[:4]) for f in files if f.startswith("crawl-data")})
tell("segment.paths", "- -", text(f"{data}/segment.paths.gz"), segments)
sizes, total = {}, 0
for f in files:
    whose = f.split("/")[3].rpartition("-")[0] if f.startswith("crawl-data") else None
    n = os.stat(f"{output}/{f}").st_size
    total += n
    count = sizes.setdefault((whose, kinds[f]), [0, 0])
    count[0], count[1] = count[0] + 1, count[1] + n
with open(f"{output}/dataset.json") as f:
    told = json.load(f)
tell("dataset.json bytes", "- -", told["bytes"], total)
tell("dataset.json files", "- -", told["files"], len(files))
tell("dataset.json crawl", "- -", told["crawl"], crawl)
ours = {f"{s['partition']} {s['kind']}": [s["files"], s["bytes"]] for s in told["sizes"]}
tell("dataset.json sizes", "- -", ours, {f"{k[0]} {k[1]}": v for k, v in sizes.items()})

# The archive files in their segments.
place_of = {}
for partition in partitions:
    name, folder = partition.split("=", 1)
    for i, archive in enumerate(sorted(os.listdir(folder), key=str.encode)):
        path = f"{data}/segments/{name}-{i // int(size):03d}/warc/{archive}"
        place_of[archive] = path
        tell("archive files", f"{archive} -", sha256(f"{output}/{path}") if path in kinds else "", sha256(f"{folder}/{archive}"))

# META, by the archive file's place and the id of the record that it is of.
meta = {}
for path in files:
    if kinds[path] == "meta":
        with open(f"{output}/{path}", "rb") as f:
            raw = f.read()
        while raw:
            r = records.parse(raw)
            meta.setdefault((path, r.field("WARC-Refers-To")), []).append(dict(records.fields_of(r.block)))
            raw = raw[r.length :]


def expected(line):
    """The line of the dataset for one of the index, with what META has."""
    key, timestamp, members = line.rstrip("\n").split(" ", 2)
    c = json.loads(members)
    name, path = c["filename"], place_of[c["filename"]]
    r = records.at(f"{output}/{path}", int(c["offset"]), int(c["length"]) if c.get("length") else None)
    stem = name.removesuffix(".gz") + (".plain" if not name.endswith(".gz") and path + ".gz" in place_of.values() else "")
    refers = r.field("WARC-Record-ID") if r.version != "ARC" else None
    refers = refers or f"<urn:{'arc' if r.version == 'ARC' else 'warc'}:{name}:{c['offset']}>"
    found = {}
    if r.type in ("response", "resource") and c.get("mime") != "text/dns" and records.payload(r)[0]:  # of equal ids the next
        found = (meta.get((f"{path.rsplit('/', 2)[0]}/meta/{stem}.meta.gz", refers)) or [{}]).pop(0)
    kind = json.loads(found.get("Identified-Payload-Type", "{}")).get("archivestream")
    more = {"puid": found.get("Preservation-Identifier"), "soft-404-detected": found.get("Soft-404-Detected")}
    more["mime-detected"] = c.get("mime-detected") or kind
    languages = json.loads(found.get("Languages-archivestream", "{}"))
    if languages.get("reliable"):
        codes = [x["code-iso-639-3"] for i, x in enumerate(languages["languages"]) if i == 0 or x["text-covered"] >= 10]
        more["languages"] = ",".join(codes)
    c.update({k: v for k, v in more.items() if v})
    c["filename"] = path
    c["digest"] = c.get("digest", "").removeprefix("sha1:")
    for member in "robotflags", "requestBody", "method", "charset":
        c.pop(member, None)
    charset = json.loads(found.get("Charset-Detected", "{}")).get("encoding", "") if "Languages-archivestream" in found else ""
    return key, timestamp, {k: v for k, v in c.items() if v}, charset


index = {}
for line in sorted(sys.stdin, key=lambda line: int(json.loads(line.split(" ", 2)[2])["offset"])):
    key, timestamp, c, charset = expected(line)
    index[c["filename"], int(c["offset"])] = key, timestamp, c, charset
lines = [line + "\n" for path in files if kinds[path] == "cdx" for line in text(path)]
tell("captures", "- -", [told["captures"], len(lines)], [len(index)] * 2)
for line in lines:
    key, timestamp, members = line.split(" ", 2)
    c = json.loads(members)
    place = c["filename"].split("/")[-1] + " " + c["offset"]
    other = index[c["filename"], int(c["offset"])]
    tell("cdx charset", place, c.pop("charset", "").lower(), other[3].lower())
    for member in c | other[2]:
        tell(f"cdx {member}", place, c.get(member, ""), other[2].get(member, ""))
    tell("cdx key", place, [key, timestamp], list(other[:2]))

# The cluster has all lines, sorted; the table their columns.
cluster = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "cluster.py"), f"{output}/collections/{crawl}/indexes"], capture_output=True, check=True)
tell("cluster", "- -", hashlib.sha1(cluster.stdout).hexdigest(), hashlib.sha1("".join(sorted(lines, key=str.encode)).encode()).hexdigest())
rows = [r for path in sorted(glob.glob(f"{output}/table/*/*/*.parquet")) for r in pyarrow.parquet.ParquetFile(path).read().to_pylist()]
by_place = {}
for line in lines:
    c = json.loads(line.split(" ", 2)[2])
    by_place[c["filename"], int(c["offset"])] = c
for r in rows:
    c = by_place[r["warc_filename"], r["warc_record_offset"]]
    place = r["warc_filename"].split("/")[-1] + f" {r['warc_record_offset']}"
    score = c.get("soft-404-detected")
    for column, theirs in (
        ("content_charset", c.get("charset")),
        ("content_languages", c.get("languages")),
        ("content_puid", c.get("puid")),
        ("content_soft404", float(score) if score else None),
        ("warc_segment", c["filename"].split("/")[3]),
        ("url", c["url"]),
        ("content_mime_detected", c.get("mime-detected")),
    ):
        ours = r[column]
        tell(f"table {column}", place, round(ours, 4) if isinstance(ours, float) else ours, theirs)
tell("table rows", "- -", len(rows), len({(r["warc_filename"], r["warc_record_offset"]) for r in rows}))
