"""Read a folder of Parquet files crawl=.../subset=.../ with others' libraries.

read_table.py schema FOLDER     columns: NAME, type in pyarrow, whether it may be
                                null there, type in DuckDB
read_table.py pyarrow FOLDER    the rows, as JSON: crawl, subset, key, time, URL,
read_table.py duckdb FOLDER     archive file, offset, length, digest, status, mime
read_table.py domains FOLDER DOMAIN...
                                DOMAIN, its captures, the row groups that hold
                                them, those that DuckDB reads to find them, those
                                that pyarrow is left with by the bounds of the keys
"""

import glob
import json
import sys

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

COLUMNS = """crawl subset url_surtkey fetch_time url warc_filename warc_record_offset warc_record_length
    content_digest fetch_status content_mime_type""".split()

command, folder = sys.argv[1:3]
table = f"read_parquet('{folder}/*/*/*.parquet', hive_partitioning = true)"
dataset = ds.dataset(folder, format="parquet", partitioning="hive")
database = duckdb.connect()
database.execute("set timezone = 'UTC'")


def tell_rows(rows):
    for row in rows:
        print(json.dumps(["" if value is None else str(value) for value in row]))


def row_groups_with(domain):
    count = 0
    for path in glob.glob(f"{folder}/*/*/*.parquet"):
        file = pq.ParquetFile(path)
        for i in range(file.metadata.num_row_groups):
            column = file.read_row_group(i, columns=["url_host_registered_domain"]).column(0)
            count += pc.any(pc.equal(column, domain)).as_py()
    return count


def tell_domain(domain):
    query = f"select count(*) from {table} where url_host_registered_domain = '{domain}'"
    captures = database.execute(query).fetchone()[0]
    plan = json.loads(database.execute("explain (analyze, format json) " + query).fetchone()[1])
    key = ",".join(reversed(domain.split(".")))
    of_domain = (ds.field("url_surtkey") >= key + ")") & (ds.field("url_surtkey") < key + "-")
    left = sum(len(f.split_by_row_group(of_domain)) for f in dataset.get_fragments())
    print(domain, captures, row_groups_with(domain), plan["query"]["total_row_groups_scanned"], left, sep="\t")


if command == "schema":
    types = {row[0]: row[1] for row in database.execute(f"describe select * from {table}").fetchall()}
    for field in dataset.schema:
        print(field.name, field.type, field.nullable, types.pop(field.name, "none"), sep="\t")
    if types:
        sys.exit(f"only DuckDB has {types}")
elif command == "pyarrow":
    read = dataset.to_table(columns=COLUMNS)
    times = read.column("fetch_time").cast(pa.timestamp("s", tz="UTC"))
    read = read.set_column(COLUMNS.index("fetch_time"), "fetch_time", pc.strftime(times, "%Y%m%d%H%M%S"))
    tell_rows(zip(*read.to_pydict().values()))
elif command == "duckdb":
    columns = ["strftime(fetch_time, '%Y%m%d%H%M%S')" if c == "fetch_time" else c for c in COLUMNS]
    tell_rows(database.execute(f"select {', '.join(columns)} from {table}").fetchall())
elif command == "domains":
    for domain in sys.argv[3:]:
        tell_domain(domain)
else:
    sys.exit(__doc__)
