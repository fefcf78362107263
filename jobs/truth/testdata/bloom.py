"""What DuckDB and pyarrow find in an index table: whether the Bloom filter of its URLs
excludes none that it holds and most others, and how its columns are compressed.

bloom.py CODEC FILE...

A line for each comparison: VALUE TAB PLACE TAB OURS TAB THEIRS, the last two as JSON.
"""

import json
import sys

import duckdb
import pyarrow.parquet

codec, *files = sys.argv[1:]
PROBE = "select bool_and(bloom_filter_excludes) from parquet_bloom_probe(?, 'url', ?)"


def tell(value, place, ours, theirs):
    print(f"index/table {value}", place, json.dumps(ours), json.dumps(theirs), sep="\t")


for path in files:
    file, place = pyarrow.parquet.ParquetFile(path), f"{path.split('/')[-1]} -"
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    told = {g.column(i).compression for g in groups for i in range(g.num_columns)}
    tell("--codec", place, sorted(told), [codec])
    urls = sorted(set(file.read(["url"])["url"].to_pylist()))
    for url in urls:
        tell("--bloom-filter", place, duckdb.execute(PROBE, [path, url]).fetchone()[0], False)
    excluded = [duckdb.execute(PROBE, [path, f"http://nowhere.example/{i}"]).fetchone()[0] for i in range(200)]
    tell("--bloom-filter others", place, sum(excluded) > 180, True)
