"""What the page of a report shows, and how numbers are written in it.

reports.py FILE...   an object of JSON a line: headline, facts, tables by caption, and what
is in plots, by their titles.
"""

import json
import math
import re
import sys

import lxml.html


def digits(x):
    """Three significant digits, all before the point; no zeros at the end."""
    if x == 0:
        return "0"
    places = max(2 - math.floor(math.log10(abs(x))), 0)
    text = f"{x:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def scaled(x, units):
    for unit in units:
        if abs(x) < 999.5 or unit == units[-1]:
            return digits(x) + unit
        x /= 1000


def count(n):
    return f"{n:,}"


def short(x):
    return scaled(x, ["", " K", " M", " B", " T"])


def size(n):
    return scaled(n, [" B", " kB", " MB", " GB", " TB", " PB"])


def percent(share):
    return digits(share * 100) + "%"


def text(element):
    return re.sub(r"\s+", " ", element.text_content()).strip()


def points(svg):
    """Of each series what its marks say, or how many points its line has."""
    found = []
    for group in svg.iterfind("g"):
        marks = [text(title) for title in group.iterfind("circle/title")]
        lines = [len(re.findall("[ML]", p.get("d"))) for p in group.iterfind("path")]
        found += marks or lines
    return found


def read(path):
    with open(path, encoding="utf-8") as f:
        page = lxml.html.fromstring(f.read())
    return {
        "headline": text(page.find(".//h1")),
        "facts": {text(div.find("dt")): text(div.find("dd")) for div in page.iterfind(".//dl/div")},
        "tables": {text(t.find("caption")): [[text(cell) for cell in row] for row in t.iterfind("tbody/tr")] for t in page.iter("table")},
        "plots": {text(svg.find(".//title")): points(svg) for svg in page.iter("svg")},
    }


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps(read(path), ensure_ascii=False))
