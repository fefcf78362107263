"""Which records jobs/extract.sh --verify ought to refuse, by Python's hashlib.

verified.py ARCHIVES OUTPUT < LINES

LINES are the captures that it was given, as CDXJ; those it has refused stand in
OUTPUT/_rejects.tsv. A line for each capture: VALUE TAB PLACE TAB OURS TAB THEIRS, the last
two the digests that are wrong, as JSON.
"""

import base64
import hashlib
import json
import re
import sys

import records

SIZES = {"sha1": 20, "md5": 16, "sha256": 32, "sha512": 64}


def sums(text):
    """The algorithm and the bytes of a digest; no algorithm where it is not known, no bytes
    where it is not one of that."""
    name, label, value = text.rpartition(":")
    name = name.lower().replace("-", "")
    for known, size in SIZES.items():
        if label and name != known:
            continue
        for decode in (
            lambda v: base64.b32decode(v.upper().rstrip("=") + "=" * (-len(v.rstrip("=")) % 8)),
            bytes.fromhex,
            lambda v: base64.b64decode(v.replace("-", "+").replace("_", "/"), validate=True),
        ):
            try:
                if len(decode(value)) == size:
                    return known, decode(value)
            except ValueError:
                pass
    return (name if name in SIZES else ""), b""


def wrong(declared, *data):
    if declared in (None, "", "-"):
        return False
    name, value = sums(declared)
    if not name:
        return ":" not in declared
    return value not in [hashlib.new(name, d).digest() for d in data]


def judge(r, listed):
    declared, payload = r.field("WARC-Payload-Digest"), [r.body]
    if "chunked" in (r.http_field("Transfer-Encoding") or "").lower():
        data, fault = records.dechunk(r.body)
        payload += [] if fault else [data]
    faults = []
    if r.type != "revisit" and wrong(r.field("WARC-Block-Digest"), r.block):
        faults.append("WARC-Block-Digest")
    if r.type == "revisit" or r.field("WARC-Segment-Number"):
        a, b = sums(declared or ""), sums(listed)
        if a[0] == b[0] != "" and a[1] and b[1] and a[1] != b[1]:
            faults.append("digest of the list")
        return faults
    if wrong(declared, *payload):
        faults.append("WARC-Payload-Digest")
    if wrong(listed, *payload):
        faults.append("digest of the list")
    return faults


def main(archives, output):
    refused = {}
    with open(f"{output}/_rejects.tsv") as f:
        for line in f:
            _, reason, text = line.rstrip("\n").split("\t")
            c = json.loads(text.replace("\\\\", "\\").split(" ", 2)[2])
            refused[c["filename"], int(c["offset"])] = reason

    for line in sys.stdin:
        c = json.loads(line.split(" ", 2)[2])
        at = c["filename"], int(c["offset"])
        r = records.at(f"{archives}/{at[0]}", at[1], int(c["length"]) if c.get("length") else None)
        if r.fault and "length" not in r.fault and "bytes of" not in r.fault:
            continue  # is refused without that
        ours = re.findall("WARC-Block-Digest|WARC-Payload-Digest|digest of the list", refused.get(at, ""))
        print("extract/--verify digest", f"{at[0]} {at[1]}", json.dumps(ours), json.dumps(judge(r, c.get("digest", ""))), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
