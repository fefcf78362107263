"""Read records at places of archive files with warcio and tell their payloads.

Standard input: FILE TAB OFFSET. One line each: SHA-1 of the payload without
transfer and content codings.
"""

import hashlib
import sys

from warcio.archiveiterator import ArchiveIterator

for line in sys.stdin:
    path, offset = line.rstrip("\n").split("\t")
    with open(path, "rb") as f:
        f.seek(int(offset))
        record = next(iter(ArchiveIterator(f)))
        print(hashlib.sha1(record.content_stream().read()).hexdigest())
