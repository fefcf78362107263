"""Hashes of payloads, by Python's hashlib.

Standard input: FILE TAB OFFSET TAB LENGTH. One line each: MD5, SHA-1 and SHA-256 of
the payload without codings, its number of bytes, how many bytes of the file the record
takes, and what is wrong with it.
"""

import hashlib
import sys

import records

for line in sys.stdin:
    path, offset, length = line.rstrip("\n").split("\t")
    record = records.at(path, int(offset), int(length))
    data, fault = records.payload(record)
    sums = [hashlib.new(name, data).hexdigest() for name in ("md5", "sha1", "sha256")]
    print(*sums, len(data), record.length, " ".join(fault.split()), sep="\t")
