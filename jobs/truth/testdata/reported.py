"""Which records jobs/index.sh --verify-digests ought to report, by Python's hashlib.

reported.py ARCHIVES OUTPUT < LINES

LINES are all captures, as CDXJ. A line for each: VALUE TAB PLACE TAB OURS TAB THEIRS, the
last two the digests that are wrong, as JSON.
"""

import json
import re
import sys

import records
import verified

archives, output = sys.argv[1:]
reported = {}
with open(f"{output}/_rejects.tsv") as f:
    for line in f:
        _, reason, path = line.rstrip("\n").split("\t")
        m = re.match(r"offset (\d+): (WARC-Block-Digest|WARC-Payload-Digest) ", reason)
        if m:
            reported.setdefault((path.rpartition("/")[2], int(m[1])), []).append(m[2])

for line in sys.stdin:
    c = json.loads(line.split(" ", 2)[2])
    at = c["filename"], int(c["offset"])
    r = records.at(f"{archives}/{at[0]}", at[1], int(c["length"]) if c.get("length") else None)
    ours = sorted(reported.pop(at, []))
    print("index/--verify-digests", f"{at[0]} {at[1]}", json.dumps(ours), json.dumps(sorted(verified.judge(r, ""))), sep="\t")
print("index/--verify-digests others", "- -", json.dumps([list(at) for at in sorted(reported)]), "[]", sep="\t")
