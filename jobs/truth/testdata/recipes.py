"""What the recipes of jobs/select.sh make, by others' libraries.

recipes.py ARCHIVES NAME=OUTPUT... < LINES of CDXJ

OUTPUT has the table of the recipe. A line for each column and each page or file at a time:
VALUE TAB PLACE TAB OURS TAB THEIRS, the last two as sorted lists of JSON, since archives
have some captures more than once. A value that this program does not know is not compared.
"""

import collections
import csv
import glob
import gzip
import hashlib
import io
import json
import multiprocessing
import re
import sys

import charsets
import contents
import expressions
import pages
import pypdf
import records
import values
from resiliparse.parse.html import HTMLTree

csv.field_size_limit(1 << 30)
HTML = {"text/html", "application/xhtml+xml"}
PDF = {"application/pdf", "application/x-pdf"}
SCRIPT = {"text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript"}
OFFICE = "application/vnd.openxmlformats-officedocument."
OPEN = "application/vnd.oasis.opendocument."
MIMES = {
    "audio-files": lambda m: m.startswith("audio/"),
    "image-files": lambda m: m.startswith("image/"),
    "video-files": lambda m: m.startswith("video/"),
    "pdf-files": PDF.__contains__,
    "presentation-files": {"application/vnd.ms-powerpoint", OPEN + "presentation", OFFICE + "presentationml.presentation"}.__contains__,
    "spreadsheet-files": {"application/vnd.ms-excel", "text/csv", OPEN + "spreadsheet", OFFICE + "spreadsheetml.sheet"}.__contains__,
    "word-files": {"application/msword", "application/rtf", "text/rtf", OPEN + "text", OFFICE + "wordprocessingml.document"}.__contains__,
    "css-text": "text/css".__eq__,
    "html-text": HTML.__contains__,
    "js-text": SCRIPT.__contains__,
    "json-text": lambda m: m == "application/json" or m.endswith("+json"),
    "plain-text": "text/plain".__eq__,
    "xml-text": lambda m: m in ("text/xml", "application/xml") or m.endswith("+xml") and m != "application/xhtml+xml",
    "page-text": HTML.__contains__,
    "pdf-text": PDF.__contains__,
    "web-graph": HTML.__contains__,
    "image-graph": HTML.__contains__,
    "domain-graph": HTML.__contains__,
    "domain-frequency": lambda m: True,
}


def words(text):
    return sorted(re.findall(r"[^\W_]+", text))


def bare(text):
    return re.sub(r"\s", "", pages.SPACE.sub("", text))


def rows_of(task):
    """The rows of a capture by recipe: of what a record holds, read once. What is
    not known is not there."""
    archives, line = task
    c = expressions.Capture(line)
    v = {"crawl_date": c.timestamp[:8], "url": c.url, "filename": expressions.file_of(c.url), "extension": expressions.suffix_of(c.url)}
    v["mime_type_web_server"], v["domain"], v["place"] = c.mime, c.domain, f"{c.filename} {c.offset}"
    names = [name for name, of in MIMES.items() if c.status == 200 and of(c.mime)]
    r = records.at(f"{archives}/{c.filename}", c.offset, c.length)
    v["last_modified_date"] = r.http_field("Last-Modified") or "" if r.head else ""
    data, fault = records.payload(r)
    if fault or not names:
        return names, v, None, None
    for name in ("md5", "sha1"):
        v[name] = hashlib.new(name, data).hexdigest()
    if c.mime.startswith("image/"):
        v["width"], v["height"] = ("" if n is None else str(n) for n in values.image_size(data))
    if c.mime in PDF:
        v["pdf"] = words("\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages))
    content_type = r.http_field("Content-Type") if r.head else r.field("Content-Type")
    charset, skip = charsets.charset(data, content_type)
    text = charsets.decode(data[skip:], charset or "windows-1252")
    if charset:
        v["content"] = text
    found = contents.media_type(data, text)
    if found is not None:
        v["mime_type_detected"] = found
    if c.mime not in HTML:
        return names, v, None, None
    page = pages.page(text)
    v["page"] = page["text"]
    language = contents.language(page["lines"])
    if language:
        v["language"] = language
    tree = HTMLTree.parse(text)
    images = [(contents.attributes(e).get("src"), contents.attributes(e).get("alt", "")) for e in tree.document.query_selector_all("img[src]")]
    anchors = page["anchors"]
    return names, v, [expressions.absolute(a, c.url) for a in anchors], [(expressions.absolute(a, c.url), alt) for a, alt in images]


def table(output):
    for path in glob.glob(output + "/part-*.csv.gz"):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as f:
            yield from csv.DictReader(f)


def main():
    outputs = dict(a.split("=", 1) for a in sys.argv[2:])
    lines = sys.stdin.read().splitlines()
    theirs = {name: collections.defaultdict(list) for name in MIMES}
    domains, places = collections.Counter(), {}
    with multiprocessing.Pool() as pool:
        for names, v, targets, images in pool.imap(rows_of, ((sys.argv[1], line) for line in lines), 20):
            places.setdefault((v["crawl_date"], v["url"]), v.pop("place"))
            for name in names:
                key = v["crawl_date"], v["url"]
                if name == "domain-frequency":
                    domains[v["domain"]] += 1
                elif name == "web-graph":
                    theirs[name][key] += [{"target": x} for x in targets or []]
                elif name == "image-graph":
                    theirs[name][key] += [{"url": url, "alt_text": alt} for url, alt in images or []]
                elif name in ("page-text", "pdf-text"):
                    row = {k: x for k, x in v.items() if k not in ("content", "pdf", "page")}
                    if name == "page-text" and "page" in v:
                        row["content"] = v["page"]
                    if name == "pdf-text" and "pdf" in v:
                        row["content"] = v["pdf"]
                    theirs[name][key].append(row)
                else:
                    theirs[name][key].append(v)
    for name, output in outputs.items():
        ours = list(table(output))
        if name == "domain-frequency":
            tell(name, "count", "-", sorted([r["domain"], r["count"]] for r in ours), sorted([d, str(n)] for d, n in domains.items()))
            continue
        if name == "domain-graph":
            # Of the links of the web graph, which are held below.
            graph = collections.Counter()
            for r in table(outputs["web-graph"]):
                graph[(r["crawl_date"], *(expressions.domain_of(expressions.host_of(r[end])) for end in ("source", "target")))] += 1
            tell(name, "count", "-", sorted([*r.values()] for r in ours), sorted([*k, str(n)] for k, n in graph.items()))
            continue
        source = "source" if name.endswith("-graph") else "url"
        found = collections.defaultdict(list)
        for r in ours:
            found[r["crawl_date"], r[source]].append(r)
        for key in sorted(set(found) | set(theirs[name])):
            a, b = found[key], theirs[name][key]
            place = places.get(key, f"- {key[0]} {key[1]}")
            if name == "web-graph":
                # A browser makes several elements of a link in which others begin.
                tell(name, "target", place, *(sorted({r["target"] for r in x}) for x in (a, b)))
                continue
            tell(name, "rows", place, len(a), len(b))
            for column in ours[0] if a and b else []:
                if all(column in r for r in b):
                    p, q = ([r[column] for r in x] for x in (a, b))
                    if name == "pdf-text" and column == "content":
                        p = [words(x) for x in p]
                    elif name == "page-text" and column == "content":
                        p = [bare(x) for x in p]
                    tell(name, column, place, sorted(p), sorted(q))


def tell(name, column, place, ours, theirs):
    print(f"select/recipe {name} {column}", re.sub(r"\s", " ", place), json.dumps(ours), json.dumps(theirs), sep="\t")


if __name__ == "__main__":
    main()
