"""Compare the columns of an index table with the lines of the index.

Standard input: the lines of CDXJ; arguments: the files of the table. A line for each
column of each row: PLACE TAB COLUMN TAB VALUE TAB VALUE by this program.
"""

import datetime
import json
import re
import sys
import urllib.parse

import pyarrow.parquet
import tldextract

suffixes = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=False)
private = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)
lines = {}
for line in sys.stdin:
    key, timestamp, members = line.split(" ", 2)
    c = json.loads(members)
    c.update(key=key, timestamp=timestamp)
    lines[c["filename"], int(c["offset"])] = c


def columns(c):
    try:
        u = urllib.parse.urlsplit(c["url"])
    except ValueError:  # a host that is none
        u = urllib.parse.SplitResult(c["url"].split(":")[0].lower(), "", "", "", "")
    v = {
        "url_surtkey": c["key"],
        "url": c["url"],
        "url_protocol": u.scheme,
        "fetch_time": datetime.datetime.strptime(c["timestamp"], "%Y%m%d%H%M%S").replace(tzinfo=datetime.timezone.utc),
        "fetch_status": int(c.get("status") or -1),
        "fetch_redirect": c.get("redirect"),
        "content_digest": c.get("digest", "").removeprefix("sha1:") or None,
        "content_mime_type": c.get("mime") or None,
        "content_mime_detected": c.get("mime-detected"),
        "content_truncated": c.get("truncated"),
        "warc_filename": c["filename"],
        "warc_record_offset": int(c["offset"]),
        "warc_record_length": int(c.get("length") or -1),
    }
    host = re.fullmatch(r"[a-z0-9.-]*[a-z][a-z0-9.-]*", u.netloc)
    if host and u.scheme in ("http", "https") and not u.netloc.endswith("."):
        name = u.netloc
        parts = name.split(".")[::-1] + [None] * 5
        v.update(
            url_host_name=name,
            url_host_tld=parts[0],
            url_host_2nd_last_part=parts[1],
            url_host_3rd_last_part=parts[2],
            url_host_4th_last_part=parts[3],
            url_host_5th_last_part=parts[4],
            url_host_name_reversed=".".join(name.split(".")[::-1]),
            url_port=None,
            url_path=u.path,
            url_query=u.query if "?" in c["url"].split("#")[0] else None,
            url_host_registry_suffix=suffixes(name).suffix or None,
            url_host_registered_domain=suffixes(name).top_domain_under_public_suffix or None,
            url_host_private_suffix=private(name).suffix or None,
            url_host_private_domain=private(name).top_domain_under_public_suffix or None,
        )
    return v


seen = set()
for path in sys.argv[1:]:
    for row in pyarrow.parquet.ParquetFile(path).read().to_pylist():
        at = row["warc_filename"], row["warc_record_offset"]
        seen.add(at)
        for name, value in columns(lines[at]).items():
            print(f"{at[0]} {at[1]}", name, *(str(x).replace("\t", " ").replace("\n", " ") for x in (row[name], value)), sep="\t")
for at, c in lines.items():
    if re.match("(https?|ftp|dns|whois):", c["url"], re.I):
        print(f"{at[0]} {at[1]}", "row", at in seen, True, sep="\t")
