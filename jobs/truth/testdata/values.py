"""The values that jobs/select.sh can derive from records, by others' libraries.

Standard input: FILE TAB OFFSET TAB LENGTH TAB CHARSET TAB MORE. The charset is as
jobs/select.sh has it, which counts where nothing but the look of the bytes tells it; more
is true where contents.py is asked, too. An object of JSON a line;
a value that this program does not know is not in it, one that the record does not have
is null.
"""

import hashlib
import io
import json
import multiprocessing
import sys

import charsets
import contents
import pages
import records
from PIL import Image

limit = 64_000_000


def grouped(fields):
    """Fields as an object, a list where a name is repeated."""
    found = {}
    for name, value in fields:
        key = next((k for k in found if k.lower() == name.lower()), name)
        found.setdefault(key, []).append(value)
    return {k: v if len(v) > 1 else v[0] for k, v in found.items()}


def image_size(data):
    try:
        with Image.open(io.BytesIO(data)) as image:
            return (image.width, image.height) if image.format in ("GIF", "JPEG", "PNG", "WEBP", "BMP") else (None, None)
    except Exception:
        return None, None


def values(path, offset, length, ours, more):
    r = records.at(path, int(offset), int(length))
    data, fault = records.payload(r)
    v = {"statusline": records.text(r.head.split(b"\n")[0].rstrip(b"\r")) if r.head else None}
    v["httpheader"] = grouped(r.http_fields()) if r.head else None
    if r.version != "ARC":
        v["recordheader"] = grouped(r.fields)
    if fault or len(data) > limit or records.elsewhere(r):
        return v
    v["width"], v["height"] = image_size(data)
    content_type = r.http_field("Content-Type") if r.head else None if r.type == "response" else r.field("Content-Type")
    name, skip = charsets.charset(data, content_type)
    if name:
        v["charset"] = name
    text = charsets.decode(data[skip:], name or ours)
    v["length"], v["string"] = len(text), hashlib.sha1(text.encode()).hexdigest()
    page = pages.page(text)
    if more == "true":
        v.update(contents.contents(data, text, page))
    del page["lines"]
    v.update({"html." + k: x for k, x in page.items()})
    return v


def ask(line):
    return json.dumps(values(*line.rstrip("\n").split("\t")))


if __name__ == "__main__":
    with multiprocessing.Pool() as pool:
        for v in pool.imap(ask, sys.stdin, 20):
            print(v)
