"""What a page holds, from the tree that a browser's parser (Lexbor, by Resiliparse) makes
of it. The tree is written out again and read by Python's own parser, which has no trouble
with what Lexbor writes."""

import html.parser
import re

from resiliparse.parse.html import HTMLTree, NodeType

RULES = {
    "a": ["href"], "area": ["href"], "form": ["action"], "img": ["src", "longdesc"], "link": ["href"], "script": ["src"],
    "frame": ["src"], "iframe": ["src"], "embed": ["src"], "audio": ["src"], "track": ["src"], "source": ["src"],
    "video": ["src", "poster"], "input": ["src", "formaction"], "button": ["formaction"], "menuitem": ["icon"],
    "object": ["codebase", "cdata", "data"], "applet": ["codebase", "cdata"],
    "q": ["cite"], "blockquote": ["cite"], "del": ["cite"], "ins": ["cite"],
}  # fmt: skip
EVERYWHERE = ["background", "data-href", "data-uri"]
METAS = ["name", "rel", "content", "http-equiv", "property", "itemprop", "charset"]
HIDDEN = {"script", "style", "iframe"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
VOID = {"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "basefont", "bgsound", "keygen"}
# Elements that part what stands before and after them.
PARTING = set("""
address article aside blockquote body br button canvas caption col colgroup dd div dl dt embed fieldset figcaption figure
footer form h1 h2 h3 h4 h5 h6 header hgroup hr li map noscript object ol output p plaintext pre progress section table tbody
textarea tfoot th thead title tr ul video xmp cite details datalist iframe img input label legend optgroup q select summary
td time
""".split())
SPACE = re.compile("[\x00-\x20\x7f\xa0]+")


def line(text):
    return SPACE.sub(" ", text).strip(" ")


class Reader(html.parser.HTMLParser):
    CDATA_CONTENT_ELEMENTS = ("script", "style", "iframe", "xmp", "noembed", "noframes", "plaintext")

    def __init__(self):
        super().__init__()
        self.open, self.texts = [], []
        self.v = {"links": set(), "meta": [], "headings": [], "anchors": [], "title": None, "lang": None, "canonical": None, "h1": None}
        self.starts = []  # of the texts of open titles and headings

    def handle_starttag(self, tag, attributes):
        self.part(tag)
        has, v = {k: x or "" for k, x in reversed(attributes)}, self.v
        for a in RULES.get(tag, []) + EVERYWHERE:
            if has.get(a) or a in has and a not in EVERYWHERE:
                v["links"].add(f"{tag.upper()}@/{a} {has[a]}")
        if tag == "html" and v["lang"] is None:
            v["lang"] = has.get("lang", has.get("xml:lang"))
        if tag == "link" and "canonical" in has.get("rel", "").lower().split() and v["canonical"] is None:
            v["canonical"] = has.get("href")
        if tag == "a" and "href" in has:
            v["anchors"].append(has["href"])
        if tag == "meta" and any(a in has for a in METAS):
            v["meta"].append({a: has[a] for a in METAS if a in has})
        if tag in HEADINGS:
            v["headings"].append({"level": int(tag[1])})
            self.starts.append((tag, len(self.texts), v["headings"][-1]))
        if tag == "title" and "svg" not in self.open:
            self.starts.append((tag, len(self.texts), None))
        if tag not in VOID:
            self.open.append(tag)

    def part(self, tag):
        if tag in PARTING:
            self.texts.append(" ")

    def handle_endtag(self, tag):
        while tag in self.open and self.open.pop() != tag:
            pass
        if self.starts and self.starts[-1][0] == tag:
            _, begin, heading = self.starts.pop()
            text = line("".join(self.texts[begin:]))
            if heading:
                heading["text"] = text
            elif text and self.v["title"] is None:
                self.v["title"] = text
        self.part(tag)

    def handle_data(self, text):
        if not (self.open and self.open[-1] in HIDDEN):
            self.texts.append(text)


def page(text):
    reader, tree = Reader(), HTMLTree.parse(text)
    for e in tree.document.query_selector_all("script, style"):
        e.text = ""  # where a script ends is more than Python's parser knows
    # Nor does it know where a comment ends: not at "-- >".
    for comment in [n for n in tree.document if n.type == NodeType.COMMENT]:
        comment.decompose()
    reader.feed(tree.document.html)
    reader.close()
    v = reader.v
    v["links"] = sorted(v["links"])
    v["h1"] = next((h.get("text") for h in v["headings"] if h["level"] == 1), None)
    v["lines"] = line("".join(reader.texts))
    v["text"] = re.sub(r"\s", "", SPACE.sub("", "".join(reader.texts)))
    return v
