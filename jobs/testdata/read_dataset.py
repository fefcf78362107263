"""Read a dataset of jobs/dataset.sh with others' libraries.

read_dataset.py records FOLDER  the records of its archive files as warcio reads them,
                                and those of its WAT, WET and META files as warcio and
                                as FastWARC do: an object of JSON a line
read_dataset.py index FOLDER    the index that pywb's cdx-indexer makes of the WAT, WET
                                and META files
read_dataset.py ask FOLDER      what DuckDB answers to each query of standard input, a
                                line each, about its table: a row a line, as JSON, and
                                a blank line behind the rows of a query

A digest that is wrong, or a file that a library does not accept, ends the program
with status 1.
"""

import glob
import hashlib
import json
import os
import sys

command, folder = sys.argv[1:3]


def files(*kinds):
    return sorted(f for kind in kinds for f in glob.glob(f"{folder}/crawl-data/*/segments/*/{kind}/*"))


def tell(by, path, offset, kind, headers, block):
    row = {"By": by, "File": os.path.relpath(path, folder), "Offset": offset, "Type": kind, "Headers": dict(headers), "Size": len(block)}
    if "/warc/" not in path:
        row.update(block_of(row, block))
    print(json.dumps(row))


def block_of(row, block):
    """What the block says, where it is of a kind that is for programs."""
    kind = row["Headers"].get("Content-Type")
    if kind == "application/json":
        return {"WAT": json.loads(block)}
    if kind == "application/warc-fields" and row["Type"] == "metadata":
        fields = dict(line.split(": ", 1) for line in block.decode().splitlines() if line)
        return {"META": {k: v if k == "Preservation-Identifier" else json.loads(v) for k, v in fields.items()}}
    return {"Text": block.decode(), "Sum": hashlib.sha1(block).hexdigest()}


def read_warcio(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as f:
        records = ArchiveIterator(f, check_digests=True, arc2warc=False)
        for record in records:
            block = record.raw_stream.read()
            if record.digest_checker.passed is False:
                sys.exit(f"{path} at {records.get_record_offset()}: {record.digest_checker.problems}")
            headers = record.rec_headers.headers
            if record.rec_type in ("response", "revisit") and record.http_headers:
                headers = headers + [("status", record.http_headers.get_statuscode())]
            tell("warcio", path, records.get_record_offset(), record.rec_type, headers, block)


def read_fastwarc(path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as f:
        for record in ArchiveIterator(f, parse_http=False):
            if not record.verify_block_digest(consume=False):
                sys.exit(f"{path} at {record.stream_pos}: wrong block digest")
            kind = record.headers["WARC-Type"]
            if record.record_type != getattr(WarcRecordType, kind):
                sys.exit(f"{path} at {record.stream_pos}: no record of the type {kind}")
            record.freeze()
            tell("FastWARC", path, record.stream_pos, kind, record.headers, record.reader.read())


if command == "records":
    for path in files("warc"):
        read_warcio(path)
    for path in files("wat", "wet", "meta"):
        read_warcio(path)
        read_fastwarc(path)
elif command == "index":
    from pywb.indexer.cdxindexer import main

    # Without -a it leaves metadata records of application/warc-fields out.
    main(["-a", "-j", "-d", folder + "/", "-o", "-"] + files("wat", "wet", "meta"))
elif command == "ask":
    import duckdb

    database = duckdb.connect()
    database.execute("set timezone = 'UTC'")
    database.execute(f"create view captures as select * from read_parquet('{folder}/table/*/*/*.parquet', hive_partitioning = true)")
    for query in sys.stdin:
        for row in database.execute(query).fetchall():
            print(json.dumps(["" if value is None else str(value) for value in row]))
        print()
else:
    sys.exit(__doc__)
