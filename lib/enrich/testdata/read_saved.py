"""Reads saved files with other people's libraries and prints their rows as JSON.

Usage: read_saved.py FOLDER. Each output line: how it was read, TAB, a list of rows.
"""

import csv
import glob
import gzip
import json
import sys

import duckdb
import pyarrow.parquet

folder = sys.argv[1]


def show(how, rows):
    print(how, json.dumps(rows, ensure_ascii=False), sep="\t")


for name in sorted(glob.glob(folder + "/*")):
    if name.endswith(".json.gz"):
        with gzip.open(name, "rt", encoding="utf-8") as f:
            show("json", [json.loads(line) for line in f])
        rows = duckdb.sql(f"select count(*), count(distinct id) from read_json('{name}')" if "documents" in folder else f"select count(*), count(distinct record) from read_json('{name}')").fetchall()
        show("duckdb-json", [list(r) for r in rows])
    elif name.endswith(".csv.gz"):
        csv.field_size_limit(1 << 30)
        with gzip.open(name, "rt", encoding="utf-8", newline="") as f:
            show("csv", list(csv.DictReader(f)))
        result = duckdb.sql(f"select * from read_csv('{name}', all_varchar=true, header=true)")
        show("duckdb-csv", [{c: v or "" for c, v in zip(result.columns, r)} for r in result.fetchall()])
    elif name.endswith(".parquet"):
        show("pyarrow", pyarrow.parquet.read_table(name).to_pylist())
        result = duckdb.sql(f"select * from read_parquet('{name}')")
        show("duckdb-parquet", [dict(zip(result.columns, r)) for r in result.fetchall()])
