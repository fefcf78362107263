"""The page of redundancy.sh against stats.json, which is held against the documents."""

import lxml.html
from reports import count, points, short, size, text


def less(kept, all):
    return f"{100 * (1 - kept / all) if all else 0:.2f} %"


def check_page(run, stats, say):
    page = lxml.html.parse(run["output"] + "/report.html").getroot()
    place = f"- {run['name']}"
    documents, kept, bytes, held = (stats[k] for k in ("documents", "cover_size", "bytes", "cover_bytes"))
    facts = {text(div.find("dt")): text(div.find("dd")) for div in page.iterfind(".//dl/div")}
    theirs = {
        "documents less": less(kept, documents), "bytes less": less(held, bytes), "documents": count(documents),
        "bytes": size(bytes), "edges": count(stats["edges"]), "components": count(stats["components"]),
    }  # fmt: skip
    for name in facts.keys() | theirs.keys():
        say(f"page {name}", place, facts.get(name, "-"), theirs.get(name, "-"))
    tables = [[[text(cell) for cell in row] for row in t.iterfind("tbody/tr")] for t in page.iter("table")]
    collection = [
        ["Documents", count(documents)], ["Shingles", count(stats["shingles"])], ["URLs", count(stats["urls"])],
        ["Documents per URL, mean", f"{stats['documents_per_url_mean']:.2f}"],
        ["Documents per URL, standard deviation", f"{stats['documents_per_url_sd']:.2f}"],
    ]  # fmt: skip
    say("page collection", place, tables[0], collection)
    reduction = [["Documents", count(documents), count(kept), less(kept, documents)], ["Bytes", size(bytes), size(held), less(held, bytes)]]
    say("page reduction", place, tables[1], reduction)
    sizes = [f"components, {short(n)}: {short(many)}" for n, many in stats["sizes"]]
    say("page sizes", place, points(page.find(".//svg")), sizes)
    for i, c in enumerate(stats["largest"]):
        row = [c["id"], count(c["documents"]), count(c["edges"]), count(c["kept"]), less(c["kept"], c["documents"]), less(c["kept_bytes"], c["bytes"]), c["method"]]
        say("page largest", f"{place} {i}", tables[-1][i][:-1], row)
        say("page largest bound", f"{place} {i}", float(tables[-1][i][-1]), c["bound"])
    words = " ".join(text(p) for p in page.iter("p"))
    for part in (f"{count(kept)} of {count(documents)} documents", f"under the relation {run['cover']}."):
        say("page words", f"{place} {part}", part in words, True)
