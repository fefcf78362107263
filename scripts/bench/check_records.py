"""Compare the records in our outputs with those that copy_records.py has copied.

Usage: check_records.py PLAN COPIES MANIFEST...

A manifest lies beside the files that it names. It is manifest.tsv of the job, or
tables, as extract-records prints them.
"""

import os
import sys


def copied(plan, folder):
    """Where the copy of each record lies: (archive, offset) -> (position, length).

    Positions are those in the files of the folder put one behind the other,
    which come second, opened.
    """
    places, position = {}, 0
    with open(plan, "rb") as lines:
        for line in lines:
            name, offset, _, length, _ = line.split(b"\t", 4)
            places[name, int(offset)] = (position, int(length))
            position += int(length)
    data = b"".join(read(os.path.join(folder, f)) for f in sorted(os.listdir(folder)))
    if len(data) != position:
        raise SystemExit("the Python loop has copied %d bytes instead of %d" % (len(data), position))
    return places, data


def read(path):
    with open(path, "rb") as f:
        return f.read()


def rows(manifest):
    """Output file, offset, length, archive and offset there of each record."""
    with open(manifest, "rb") as lines:
        for line in lines:
            if os.path.basename(manifest) == "tables":
                table, _, line = line.split(b"\t", 2)
                if table != b"manifest.tsv":
                    continue
            yield line.split(b"\t")[:5]


def check(manifest, places, data):
    """Hold the records that a manifest names to the copies."""
    what, folder = manifest, os.path.dirname(manifest)
    missing, current, text = set(places), None, b""
    behind = {}
    for output, offset, length, source, source_offset in rows(manifest):
        offset, length, key = int(offset), int(length), (source, int(source_offset))
        if output != current:
            current, text = output, read(os.path.join(folder, output.decode()))
        position, expected = places.get(key, (0, -1))
        if length != expected or text[offset : offset + length] != data[position : position + length]:
            raise SystemExit("%s: the record from %s at %d differs from that of the Python loop" % (what, source.decode(), key[1]))
        # Nothing but the file's header record may lie between the records.
        if offset != behind.get(output, offset):
            raise SystemExit("%s: %s: bytes before %d belong to no record" % (what, output.decode(), offset))
        behind[output] = offset + length
        missing.discard(key)
    if missing:
        raise SystemExit("%s: %d records are missing" % (what, len(missing)))
    for output, size in behind.items():
        if os.path.getsize(os.path.join(folder, output.decode())) != size:
            raise SystemExit("%s: %s: bytes behind the last record" % (what, output.decode()))


def main(plan, copies, *manifests):
    places, data = copied(plan, copies)
    for manifest in manifests:
        check(manifest, places, data)
    print("%s records are the same bytes in %d outputs and in the copies." % (format(len(places), ","), len(manifests)))


if __name__ == "__main__":
    main(*sys.argv[1:])
