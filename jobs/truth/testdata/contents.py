"""What a payload holds besides a page: its media type by its bytes, values of JSON and XML
documents, the elements that a CSS selector finds, entities and the language."""

import hashlib
import json
import re
import unicodedata
import zlib
import xml.etree.ElementTree as ET

import filetype
import langdetect
import pages
from resiliparse.parse.html import HTMLTree, NodeType
from resiliparse.parse.lang import detect_fast

langdetect.DetectorFactory.seed = 0

# The names of filetype that are not those of IANA's registry.
NAMES = {
    "application/font-woff": "font/woff", "application/font-sfnt": "font/ttf", "image/x-icon": "image/vnd.microsoft.icon",
    "application/rtf": "text/rtf",
}  # fmt: skip
ROOTS = {
    "rss": "application/rss+xml", "feed": "application/atom+xml", "svg": "image/svg+xml", "html": "application/xhtml+xml",
}  # fmt: skip
# WHATWG MIME Sniffing, section 7.1.
HTML = re.compile(r"\s*<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >]", re.I)


def as_json(text):
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=lambda x: 1 / 0)
    except (ValueError, ZeroDivisionError, RecursionError):
        return as_json


def media_type(data, text):
    """None where this program does not know."""
    if not data:
        return ""
    kind = filetype.guess(data)
    if kind and kind.mime not in ("application/zip", "application/gzip", "text/html", "application/xml"):
        return NAMES.get(kind.mime, kind.mime)
    if re.search(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]", data[:4096]):
        return None
    if isinstance(as_json(text), (dict, list)):
        return "application/json"
    root = as_xml(text)
    if root is not None and text.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        return ROOTS.get(root.tag.rpartition("}")[2], "text/xml")
    if HTML.match(text) and "xhtml" not in text[:4096].lower():
        return "text/html"
    return None


def as_xml(text):
    """The root of an XML document; None where the text is none."""
    if not text.lstrip("\ufeff \t\r\n").startswith("<") or "]>" in text[:9999]:
        return None
    try:
        return ET.fromstring(text.lstrip("\ufeff \t\r\n"))
    except (ET.ParseError, ValueError):
        return None


def xml_texts(root, path):
    """The texts of the elements, or values of the attribute, at a path of local names."""
    attribute = path[-1][1:] if path[-1].startswith("@") else None
    steps = path[:-1] if attribute else path
    found = [root] if root.tag.rpartition("}")[2] == steps[0] else []
    for step in steps[1:]:
        found = [e for parent in found for e in parent if e.tag.rpartition("}")[2] == step]
    if attribute:
        return [v for e in found for k, v in e.attrib.items() if k.rpartition("}")[2] == attribute]
    return ["".join(e.itertext()).strip() for e in found]


XML = ["rss/channel/item/title", "rss/channel/item/link", "rss/channel/title", "rss/channel/image/url", "feed/entry/link/@href", "html/head/title", "html/head/link/@href", "svg/@viewBox", "svg/g/path/@d"]
JSON = {
    ".": [], "Envelope.WARC-Header-Metadata.WARC-Type": ["Envelope", "WARC-Header-Metadata", "WARC-Type"], "Container.Offset": ["Container", "Offset"],
    "Envelope.Payload-Metadata.HTTP-Response-Metadata.HTML-Metadata.Links[1].url": ["Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata", "Links", 1, "url"],
    "Envelope.Payload-Metadata.HTTP-Response-Metadata.Headers": ["Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "Headers"], "[0]": [0], "[0].id": [0, "id"],
}  # fmt: skip


def step_into(x, steps):
    for step in steps:
        if isinstance(step, int) and isinstance(x, list) and step < len(x) or isinstance(step, str) and isinstance(x, dict) and step in x:
            x = x[step]
        else:
            return None
    return x


def attributes(e):
    return {a: e[a] or "" for a in e.attrs}


def text_of(e):
    return pages.line(inner(e))


def inner(e):
    out = []
    for child in e.child_nodes:
        if child.type == NodeType.TEXT:
            out.append(child.text)
        elif child.type == NodeType.ELEMENT and child.tag not in ("script", "style"):
            part = " " if child.tag in pages.PARTING else ""
            out += [part, inner(child), part]
    return "".join(out)


def of_category(*names):
    """The inside of a class of a regular expression that has all characters of categories."""
    out, begin = [], None
    for c in range(0x110000):
        if (unicodedata.category(chr(c))[: len(names[0])] in names) != (begin is not None):
            if begin is None:
                begin = c
            else:
                out.append(rf"\U{begin:08x}-\U{c - 1:08x}")
                begin = None
    return "".join(out)


UPPER, LETTER = of_category("Lu"), of_category("L")
WORD = rf"[{UPPER}][{LETTER}'’-]+"
MONTHS = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
ENTITIES = {
    "names": rf"{WORD}(?: (?:(?:van|von|de|der|den|of|al|bin|da|di|la|le) )?{WORD}){{1,4}}",
    "dates": rf"(?a:\b)(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|[0-9]{{1,2}}\.[0-9]{{1,2}}\.[0-9]{{4}}|[0-9]{{1,2}} {MONTHS} [0-9]{{4}}|{MONTHS} [0-9]{{1,2}}, [0-9]{{4}})(?a:\b)",
    "emails": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
}  # fmt: skip
ENTITIES = {name: re.compile(pattern) for name, pattern in ENTITIES.items()}


def entities(text):
    found = {}
    for name, pattern in ENTITIES.items():
        all_ = pattern.findall(text)
        found[name] = [{"text": x, "count": all_.count(x)} for x in dict.fromkeys(all_)]
    return found


CODES = {"en": "eng", "fr": "fra", "de": "deu", "es": "spa", "pl": "pol", "ru": "rus", "pt": "por", "it": "ita", "el": "ell", "nl": "nld", "ja": "jpn", "fi": "fin", "cs": "ces", "ro": "ron", "ar": "ara", "hu": "hun", "no": "nob", "bn": "ben", "da": "dan", "tr": "tur", "sv": "swe"}  # fmt: skip


def language(text):
    """Of a long text, where two detectors agree and are sure; else None."""
    if len(text) < 500 or text[0] in "{[":
        return None
    fast, rank = detect_fast(text)
    if rank >= 800 or zlib.crc32(text.encode()) % 4:
        return None  # a quarter of them is slow enough
    try:
        best = langdetect.detect_langs(text[:1500])[0]
    except langdetect.LangDetectException:
        return None
    return CODES.get(fast) if fast == best.lang and best.prob > 0.99 else None


SELECTORS = {
    "h2.text": ("h2", lambda found: [text_of(e) for e in found]),
    "img.attribute": ("img[src]", lambda found: [attributes(e)["src"] for e in found]),
    "description": ("meta[name=description]", lambda found: [attributes(e)["content"] for e in found if "content" in e.attrs]),
    "div-p.first": ("div > p", lambda found: text_of(found[0]) if found else None),
    "only-child": ("li > a:only-child", lambda found: [text_of(e) for e in found]),
    "rel": ("a[rel=nofollow]", lambda found: [{"attributes": attributes(e), "text": text_of(e)} for e in found]),
    "neighbours": ("td + td", lambda found: len(found)),
}  # fmt: skip


def contents(data, text, page):
    v = {"mime": media_type(data, text)}
    if v["mime"] is None:
        del v["mime"]
    document = as_json(text)
    if document is not as_json:
        v.update({f"json({p})": step_into(document, steps) for p, steps in JSON.items()})
    root = as_xml(text)
    if root is not None:
        v.update({f"xml({p})": xml_texts(root, p.split("/")) for p in XML})
    tree = HTMLTree.parse(text)
    for name, (selector, of) in SELECTORS.items():
        found = tree.document.query_selector_all(selector)
        if len(found) < 500 or name == "neighbours":  # Resiliparse takes minutes for thousands
            v[f"html({name})"] = of(found)
    title = page["title"]
    v["entities"] = entities(title) if title else None
    v["title.length"] = len(title) if title else None
    for name in ("md5", "sha1", "sha256"):
        v["title." + name] = hashlib.new(name, title.encode()).hexdigest() if title else None
        v["string." + name] = hashlib.new(name, text.encode()).hexdigest()
    v["meta.length"] = len(page["meta"])
    code = language(page["lines"])
    if code:
        v["language"] = code
    return v
