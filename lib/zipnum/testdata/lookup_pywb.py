"""Answer queries as pywb's CDX server does.

usage: lookup_pywb.py INDEX... < queries > lines

A query is a JSON object of the server's parameters, one a line. The lines of its
answer are followed by --.
"""
import heapq
import json
import sys

from pywb.warcserver.index.cdxops import process_cdx
from pywb.warcserver.index.indexsource import FileIndexSource
from pywb.warcserver.index.query import CDXQuery
from pywb.warcserver.index.zipnum import ZipNumIndexSource


def source(path):
    kind = ZipNumIndexSource if path.endswith(".idx") else FileIndexSource
    return kind(path, None)


sources = [source(path) for path in sys.argv[1:]]
for line in sys.stdin:
    # A query of one page, however many blocks that are.
    params = dict(json.loads(line), pageSize="1000000")
    query = CDXQuery(params)
    found = heapq.merge(*(s.load_index(params) for s in sources), key=str)
    for cdx in process_cdx(found, query):
        print(cdx)
    print("--")
