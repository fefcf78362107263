"""The payloads that revisits can have, by what their headers say.

Standard input: FILE TAB OFFSET TAB LENGTH of all captures. A line for each revisit: its
file and offset, and behind them the SHA-1 of the payload of each record that has its digest, or
else of the one that it refers to; none where there is no such record.
"""

import base64
import hashlib
import re
import sys
from datetime import datetime

import records

NOTHING = hashlib.sha1().hexdigest()


def digest(text):
    """A digest as hexadecimal digits; None where it is of no form that is known."""
    algorithm, _, value = (text or "").rpartition(":")
    size = {"sha1": 20, "": 20, "sha256": 32, "md5": 16}.get(algorithm.lower().replace("-", ""))
    if not size:
        return None
    if len(value) == 2 * size and re.fullmatch("[0-9a-fA-F]+", value):
        return value.lower()
    try:
        found = base64.b32decode(value.upper() + "=" * (-len(value) % 8))
    except ValueError:
        return None
    return found.hex() if len(found) == size else None


def plain(uri):
    return (uri or "").strip().strip("<>").rstrip("/")


def instant(date):
    try:
        return datetime.fromisoformat((date or "").replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


revisits, by_digest, by_place, by_id = [], {}, {}, {}
for line in sys.stdin:
    path, offset, length = line.rstrip("\n").split("\t")
    r = records.at(path, int(offset), int(length))
    if r.type == "revisit":
        revisits.append((path, offset, r))
        continue
    data, fault = records.payload(r)
    sha1 = "" if fault else hashlib.sha1(data).hexdigest()
    declared = digest(r.field("WARC-Payload-Digest")) or hashlib.sha1(r.body).hexdigest()
    by_digest.setdefault(declared, set()).add(sha1)
    by_place[plain(r.field("WARC-Target-URI")), instant(r.field("WARC-Date"))] = sha1
    by_id[plain(r.field("WARC-Record-ID"))] = sha1

for path, offset, r in revisits:
    found = set()
    wanted = digest(r.field("WARC-Payload-Digest"))
    if r.body:
        found = {hashlib.sha1(records.payload(r)[0]).hexdigest()}
    elif wanted and wanted != NOTHING:
        found = by_digest.get(wanted, found)
    if not found:
        date, uri = instant(r.field("WARC-Refers-To-Date")), plain(r.field("WARC-Refers-To-Target-URI") or r.field("WARC-Target-URI"))
        if date is not None:
            found = {by_place[uri, date]} if (uri, date) in by_place else found
        elif r.field("WARC-Refers-To") and plain(r.field("WARC-Refers-To")) in by_id:
            found = {by_id[plain(r.field("WARC-Refers-To"))]}
    if not found and not records.elsewhere(r):
        found = {NOTHING}
    print(path, offset, ",".join(sorted(found)), sep="\t")
