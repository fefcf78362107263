"""Copy the records that a plan lists, one after the other: seek, read, write.

Usage: copy_records.py ARCHIVES OUTPUT < PLAN

The plan has the lines of parse-captures, sorted. The archive at hand is kept
open; a new output file begins when one would be larger than 100 MB. This is what
one would write without this project, so nothing in it is tuned but the one thing
that costs nothing: both files are read and written without a second buffer where
that is faster.
"""

import os
import sys

MAX_SIZE = 100_000_000


def main(archives, output):
    current = source = target = None
    files = size = 0
    for line in sys.stdin.buffer:
        name, offset, _, length, _ = line.split(b"\t", 4)
        if name != current:
            if source:
                source.close()
            source = open(os.path.join(archives, name.decode()), "rb", buffering=0)
            current = name
        source.seek(int(offset))
        record = source.read(int(length))
        if target is None or size + len(record) > MAX_SIZE:
            if target:
                target.close()
            target = open(os.path.join(output, "copy-%06d" % files), "wb")
            files, size = files + 1, 0
        target.write(record)
        size += len(record)
    if target:
        target.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
