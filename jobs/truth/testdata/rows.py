"""Print the rows of tables as JSON, each value as text, null where there is none.

rows.py csv|json|pyarrow|duckdb FILE...

Members of objects in JSON have dotted names.
"""

import csv
import gzip
import json
import sys

csv.field_size_limit(1 << 30)


def flat(name, x):
    if not isinstance(x, dict):
        return {name: x}
    return {k: v for member, value in x.items() for k, v in flat(f"{name}.{member}" if name else member, value).items()}


def rows(library, path):
    if library == "csv":
        with gzip.open(path, "rt", encoding="utf-8", newline="") as f:
            yield from csv.DictReader(f)
    elif library == "json":
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as f:
            for line in f:
                yield flat("", json.loads(line))
    elif library == "pyarrow":
        import pyarrow.parquet

        for batch in pyarrow.parquet.ParquetFile(path).iter_batches():
            yield from batch.to_pylist()
    else:
        import duckdb

        found = duckdb.connect().execute("select * from read_parquet(?, hive_partitioning = false)", [path])
        names = [column[0] for column in found.description]
        for row in found.fetchall():
            yield dict(zip(names, row))


for path in sys.argv[2:]:
    for row in rows(sys.argv[1], path):
        print(json.dumps({k: v if v is None else str(v) for k, v in row.items()}))
