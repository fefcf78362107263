"""What a page asks robots not to do, from the fields of its response and from the tree that
a browser's parser (Lexbor, by Resiliparse) makes of the page without its codings."""

import re

import records
from resiliparse.parse.html import HTMLTree

LETTERS = {"noarchive": "A", "nofollow": "F", "noindex": "I", "none": "FI"}
WINDOW = 64 << 10  # bytes of a page that is searched


def flags(r, media):
    """The letters of CDX's field M for a response of a media type."""
    asked = [v for k, v in r.http_fields() if k.lower() == "x-robots-tag"]
    if r.head and media.lower() in ("text/html", "application/xhtml+xml"):
        page = records.payload(r)[0][:WINDOW].decode("latin-1")
        end = re.search(r"</head[\s>]", page, re.I)
        for e in HTMLTree.parse(page[: end.start()] if end else page).document.query_selector_all("meta"):
            named = [(e.getattr(a) or "").strip().lower() for a in ("name", "http-equiv")]
            if "robots" in named or "x-robots-tag" in named:
                asked.append(e.getattr("content") or "")
    found = {letter for value in asked for word in value.split(",") for letter in LETTERS.get(word.strip().lower(), "")}
    logins = (r.field("WARC-Simple-Form-Province-Status") or "").split(",")[0]
    return "".join(sorted(found)) + ("P" if logins.isdigit() and int(logins) else "")
