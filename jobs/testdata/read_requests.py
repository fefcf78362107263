"""Tell of archive files, by warcio, which request belongs to which response or revisit.

read_requests.py source FILE...   of each response and revisit: its id, and that of the
                                  request anywhere in its file that WARC-Concurrent-To of
                                  either names, the nearest of several, or -; a file is
                                  left out, with a word, from where warcio does not read on
read_requests.py made FILE...     the same, of the record that follows alone

One line each: ID, ID, SHA-1 of the response's block, SHA-1 of the request's block or -.
"""

import hashlib
import sys

from warcio.archiveiterator import ArchiveIterator


def read(path):
    with open(path, "rb") as f:
        try:
            for record in ArchiveIterator(f, no_record_parse=True):
                headers = record.rec_headers
                named = [value for name, value in headers.headers if name.lower() == "warc-concurrent-to"]
                block = hashlib.sha1(record.raw_stream.read()).hexdigest()
                yield record.rec_type, headers.get_header("WARC-Record-ID"), named, block
        except Exception as e:  # warcio has one of its own for damage, but not for every kind
            print(path, e, file=sys.stderr)


for path in sys.argv[2:]:
    records = list(read(path))
    for i, (kind, own, named, block) in enumerate(records):
        if kind not in ("response", "revisit"):
            continue
        near = range(len(records)) if sys.argv[1] == "source" else range(i + 1, min(i + 2, len(records)))
        found = []
        for j in near:
            of, other, to, its = records[j]
            if of == "request" and (own and own in to or other in named):
                found.append((abs(j - i), other, its))
        _, other, its = min(found, default=(0, "-", "-"))
        print(own or "-", other, block, its, sep="\t")
