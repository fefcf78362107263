"""Read archive files with warcio and tell what revisits and their originals are.

read_revisits.py FILE...

A JSON object a line for each revisit, response and resource, as far as warcio reads a
file: file, offset, type, url, date, id, digest (declared), digests (of the payload as
it was transferred and without chunks: hexadecimal digits by algorithm), sha1 (of the
payload without codings), uri, when and what it refers to, and profile.
"""

import hashlib
import io
import json
import os
import sys

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader


def records(path):
    with open(path, "rb") as f:
        it = ArchiveIterator(f, arc2warc=True)
        for record in it:
            if record.rec_type in ("revisit", "response", "resource"):
                get = record.rec_headers.get_header
                raw = record.raw_stream.read()
                forms = {raw}
                chunked = record.http_headers and record.http_headers.get_header("transfer-encoding") == "chunked"
                if chunked:
                    forms.add(ChunkedDataReader(io.BytesIO(raw)).read(len(raw) + 1) + b"")
                record.raw_stream = io.BytesIO(raw)
                body = record.content_stream().read()
                yield {
                    "file": os.path.basename(path), "offset": it.get_record_offset(), "type": record.rec_type,
                    "url": get("WARC-Target-URI"), "date": get("WARC-Date"), "id": get("WARC-Record-ID"),
                    "digest": get("WARC-Payload-Digest"), "profile": get("WARC-Profile"),
                    "digests": [hashlib.new(name, form).hexdigest() for name in ("sha1", "sha256", "md5") for form in forms],
                    "sha1": hashlib.sha1(body).hexdigest(), "length": len(body), "uri": get("WARC-Refers-To-Target-URI"),
                    "when": get("WARC-Refers-To-Date"), "what": get("WARC-Refers-To"),
                }


for path in sys.argv[1:]:
    try:
        for record in records(path):
            print(json.dumps(record))
    except Exception as e:
        print(path, e, file=sys.stderr)
