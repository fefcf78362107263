"""Read archive files with somebody else's library and tell what is in them.

read_records.py warcio FILE...     every record, in order
read_records.py fastwarc FILE...   the same; of WARC files only
read_records.py warcio-at          the records at FILE TAB OFFSET, of standard input
read_records.py warcio-verdicts FOLDER
                                   FILE, OFFSET and verdict alone, of the files of
                                   standard input, below the folder, each as far
                                   as warcio reads it

One line a record: FILE (base name), OFFSET, TYPE, URL, SHA-1 of the block and the
verdict on its digests: pass, FAIL or none; fields separated by tabs. A file that
the library does not accept ends the program with status 1.
"""

import hashlib
import os
import sys


def tell(path, offset, kind, url, block, verdict):
    print(os.path.basename(path), offset, kind, url or "-", hashlib.sha1(block).hexdigest(), verdict, sep="\t")


def url_of(record):
    return record.rec_headers.get_header("uri" if record.format == "arc" else "WARC-Target-URI")


def verdicts_of(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as f:
        records = ArchiveIterator(f, check_digests=True)
        for record in records:
            while record.raw_stream.read(65536):
                pass
            yield records.get_record_offset(), {True: "pass", False: "FAIL", None: "none"}[record.digest_checker.passed]


def tell_verdicts(folder, path):
    try:
        for offset, verdict in verdicts_of(os.path.join(folder, path)):
            print(path, offset, verdict, sep="\t")
    except Exception as e:  # warcio has one of its own for damage, but not for a missing URI
        print(path, e, file=sys.stderr)


def read_warcio(path):
    from warcio.archiveiterator import ArchiveIterator

    # Parsed first for the digests, which are of the payload too, and then as it is.
    verdicts = [verdict for _, verdict in verdicts_of(path)]
    with open(path, "rb") as f:
        records = ArchiveIterator(f, no_record_parse=True)
        for verdict, record in zip(verdicts, records):
            block = record.raw_stream.read()
            tell(path, records.get_record_offset(), record.rec_type, url_of(record), block, verdict)


def read_warcio_at(line):
    from warcio.archiveiterator import ArchiveIterator

    path, offset = line.rstrip("\n").split("\t")
    with open(path, "rb") as f:
        f.seek(int(offset))
        record = next(iter(ArchiveIterator(f, no_record_parse=True)))
        tell(path, offset, record.rec_type, url_of(record), record.raw_stream.read(), "none")


def read_fastwarc(path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    names = [name for name in dir(WarcRecordType) if not name.startswith("_")]
    with open(path, "rb") as f:
        for record in ArchiveIterator(f, parse_http=False):
            kind = next(name for name in names if getattr(WarcRecordType, name) == record.record_type)
            checked = []
            if "WARC-Block-Digest" in record.headers:
                checked.append(record.verify_block_digest(consume=False))
            record.freeze()
            block = record.reader.read()
            record.reader.seek(0)
            # FastWARC knows no payload but that of HTTP, and that of a revisit is
            # another record's.
            if "WARC-Payload-Digest" in record.headers and kind == "response":
                record.parse_http()
                checked.append(record.verify_payload_digest(consume=False))
            verdict = "none" if not checked else "pass" if all(checked) else "FAIL"
            # Some wget writes <URL>, which warcio takes off itself.
            url = (record.headers.get("WARC-Target-URI") or "").removeprefix("<").removesuffix(">")
            tell(path, record.stream_pos, kind, url, block, verdict)


if sys.argv[1] == "warcio-at":
    for line in sys.stdin:
        read_warcio_at(line)
elif sys.argv[1] == "warcio-verdicts":
    for line in sys.stdin:
        tell_verdicts(sys.argv[2], line.rstrip("\n"))
else:
    for path in sys.argv[2:]:
        {"warcio": read_warcio, "fastwarc": read_fastwarc}[sys.argv[1]](path)
