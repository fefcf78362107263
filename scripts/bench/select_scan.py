"""Sums the lengths of texts by a scan of all archive files with FastWARC, in two
processes.

Usage: select_scan.py ARCHIVES url URL | domain DOMAIN | month YYYYMM
"""

import glob
import multiprocessing
import os
import sys

from fastwarc import ArchiveIterator, WarcRecordType


def text_length(record):
    record.parse_http(auto_decode="all")
    body = record.reader.read()
    charset = record.http_charset
    for name in [charset] if charset else ["utf-8", "windows-1252", "latin-1"]:
        try:
            return len(body.decode(name))
        except (UnicodeDecodeError, LookupError):
            pass
    return len(body.decode("utf-8", "replace"))


def scan(arguments):
    """Gives {key: (date, length)} of a file's records."""
    path, scenario, what = arguments
    found = {}
    for record in ArchiveIterator(path, record_types=WarcRecordType.response, parse_http=False):
        url = record.headers["WARC-Target-URI"]
        if scenario == "url":
            if url != what:
                continue
        elif scenario == "domain":
            host = url.split("/")[2].split(":")[0]
            if host != what and not host.endswith("." + what):
                continue
        elif not record.headers["WARC-Date"].startswith(what):
            continue
        record.parse_http()
        if record.http_headers.status_code != 200:
            continue
        mime = record.http_content_type or ""
        if scenario == "domain" and mime != "text/html" or scenario == "month" and not mime.startswith("text/"):
            continue
        date = record.headers["WARC-Date"]
        key = url if scenario == "month" else (url, date, record.record_id)
        if key not in found or found[key][0] < date:
            found[key] = (date, text_length(record))
    return found


def main():
    archives, scenario, what = sys.argv[1:]
    if scenario == "month":
        what = what[:4] + "-" + what[4:]
    paths = sorted(glob.glob(os.path.join(archives, "*.warc.gz")))
    merged = {}
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(scan, [(path, scenario, what) for path in paths]):
            for key, value in found.items():
                if key not in merged or merged[key][0] < value[0]:
                    merged[key] = value
    print(sum(length for _, length in merged.values()))


if __name__ == "__main__":
    main()
