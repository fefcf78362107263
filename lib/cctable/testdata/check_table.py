"""Compares a Parquet file with the lines of CDXJ that it was made of.

usage: check_table.py TABLE LINES DOMAIN

Reads the table with pyarrow and with DuckDB, computes each row with Python's
own means and prints what differs. Then prints, as a JSON object, what a query
by the registered domain DOMAIN touches.
"""
import datetime
import json
import sys
from urllib.parse import urlsplit

import duckdb
import pyarrow.parquet as pq

# Common Crawl's cc-index-schema-flat.json without partition columns and
# warc_record_id; offset and length with 64 bits as in the End of Term tables.
TEXT, REQUIRED = "string", set("""url_surtkey url url_host_name url_protocol url_path fetch_time fetch_status
    warc_filename warc_record_offset warc_record_length warc_segment""".split())
TYPES = {"url_port": "int32", "fetch_time": "timestamp[ms, tz=UTC]", "fetch_status": "int16",
         "warc_record_offset": "int64", "warc_record_length": "int64"}
NAMES = """url_surtkey url url_host_name url_host_tld url_host_2nd_last_part url_host_3rd_last_part
    url_host_4th_last_part url_host_5th_last_part url_host_registry_suffix url_host_registered_domain
    url_host_private_suffix url_host_private_domain url_host_name_reversed url_protocol url_port url_path url_query
    fetch_time fetch_status fetch_redirect content_digest content_mime_type content_mime_detected content_charset
    content_languages content_truncated warc_filename warc_record_offset warc_record_length warc_segment""".split()
DUCK = {"string": "VARCHAR", "int32": "INTEGER", "int16": "SMALLINT", "int64": "BIGINT",
        "timestamp[ms, tz=UTC]": "TIMESTAMP WITH TIME ZONE"}
SUFFIXES = {"com", "gov", "org", "net", "edu", "de", "co.uk", "mil"}
PRIVATE = {"github.io": "io"}


def host_columns(host):
    labels = host.split(".")
    if host.startswith("[") or labels[-1].isdigit():
        return [host] + [None] * 10
    parts = (labels[::-1] + [None] * 5)[:5]
    suffixes = [".".join(labels[i:]) for i in range(len(labels))]
    registry = next((s for s in suffixes if s in SUFFIXES), None)
    private = next((s for s in suffixes if s in PRIVATE), registry)
    registry = PRIVATE.get(private, registry)

    def domain(suffix):
        if suffix is None or host == suffix:
            return None
        return ".".join(labels[-suffix.count(".") - 2:])
    return [host] + parts + [registry, domain(registry), private, domain(private), ".".join(labels[::-1])]


def row(line):
    key, timestamp, object_ = line.split(" ", 2)
    o = json.loads(object_)
    url = o["url"]
    if url.startswith("dns:"):
        scheme, host, port, path, query = "dns", url[4:], None, "", None
    else:
        u = urlsplit(url)
        scheme, port, path = u.scheme, u.port, u.path
        host = u.netloc.rsplit("@", 1)[-1]
        if port is not None:
            host = host.rsplit(":", 1)[0]
        host = host.lower().rstrip(".").encode("idna").decode() if not host.startswith("[") else host.lower()
        query = u.query if "?" in url.split("#")[0] else None
    status = o.get("status", "-")
    filename = o["filename"]
    segment = filename.split("/segments/")[1].split("/")[0] if "/segments/" in filename else "none"
    null = lambda name: None if o.get(name) in (None, "", "-") else o[name]
    digest = null("digest")
    return [key, url, *host_columns(host), scheme, port, path, query,
            datetime.datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=datetime.timezone.utc),
            int(status) if status.isdigit() else -1, null("redirect"), digest.removeprefix("sha1:") if digest else None,
            null("mime"), null("mime-detected"), null("charset"), null("languages"), null("truncated"),
            filename, int(o["offset"]), int(o.get("length", -1)), segment]


def compare(name, got, want):
    if len(got) != len(want):
        print(f"{name}: {len(got)} rows, want {len(want)}")
    for g, w in zip(got, want):
        if list(g) != w:
            print(f"{name}:", [(n, a, b) for n, a, b in zip(NAMES, g, w) if a != b][:3], w[1])
            return


def main(table, lines, domain):
    want = [row(line) for line in open(lines, encoding="utf-8").read().splitlines()]
    file = pq.ParquetFile(table, page_checksum_verification=True)
    schema = [(f.name, str(f.type), f.nullable) for f in file.schema_arrow]
    if schema != [(n, TYPES.get(n, TEXT), n not in REQUIRED) for n in NAMES]:
        print("pyarrow: schema", schema)
    columns = file.read().to_pydict()
    compare("pyarrow", list(zip(*columns.values())), want)

    db = duckdb.connect()
    db.execute("set timezone = 'UTC'")
    described = [(r[0], r[1]) for r in db.execute(f"describe select * from read_parquet('{table}')").fetchall()]
    if described != [(n, DUCK[TYPES.get(n, TEXT)]) for n in NAMES]:
        print("duckdb: schema", described)
    got = db.execute(f"select * exclude fetch_time, epoch_ms(fetch_time) from read_parquet('{table}')").fetchall()
    at = NAMES.index("fetch_time")
    utc = datetime.timezone.utc
    compare("duckdb", [[*r[:at], datetime.datetime.fromtimestamp(r[-1] / 1000, utc), *r[at:-1]] for r in got], want)
    count = db.execute(f"select count(*) from read_parquet('{table}') where url_host_registered_domain = ?", [domain]).fetchone()[0]
    if count != sum(r[9] == domain for r in want):
        print("duckdb: counts", count, "captures of", domain)

    metadata = file.metadata
    groups, bounds, keys, needed, begin = metadata.num_row_groups, 0, 0, 0, 0
    reverse = ",".join(domain.split(".")[::-1])
    for i in range(groups):
        g = metadata.row_group(i)
        if [(s.column_index, s.descending) for s in g.sorting_columns] != [(0, False)]:
            print("pyarrow: sorting columns", g.sorting_columns)
        s, k = g.column(9).statistics, g.column(0).statistics
        bounds += s is not None and s.has_min_max and s.min <= domain <= s.max
        keys += k.min < reverse + "-" and k.max >= reverse + ")"
        needed += any(r[9] == domain for r in want[begin:begin + g.num_rows])
        begin += g.num_rows
    filtered = db.execute("select row_group_id, bloom_filter_excludes from parquet_bloom_probe(?, 'url_host_registered_domain', ?)",
                          [table, domain]).fetchall()
    print(json.dumps({"groups": groups, "bounds": bounds, "keys": keys, "needed": needed, "count": count,
                      "filters": sum(not excluded for _, excluded in filtered)}, sort_keys=True))


main(*sys.argv[1:])
