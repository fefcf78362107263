"""Hashes of payloads, by Python's hashlib.

Standard input: FILE TAB OFFSET TAB LENGTH. One line each: MD5, SHA-1 and SHA-256 of
the payload without codings and its number of bytes, which are empty where it is damaged
or larger than jobs/select.sh looks at; how many bytes of the file the record takes.
"""

import hashlib
import sys

import records

limit = 64_000_000  # of --max-payload

for line in sys.stdin:
    path, offset, length = line.rstrip("\n").split("\t")
    record = records.at(path, int(offset), int(length))
    data, fault = records.payload(record)
    sums = [hashlib.new(name, data).hexdigest() for name in ("md5", "sha1", "sha256")] + [len(data)]
    if fault or len(data) > limit or records.elsewhere(record):
        sums = [""] * 4
    print(*sums, record.length, sep="\t")
