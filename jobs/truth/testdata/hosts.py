"""Links between hosts in WAT files, as lib/webgraph says that link lines are."""

import gzip
import json
import re

import idna
import tldextract

suffixes = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=False)
NEEDED = {"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "preload", "modulepreload",
          "prefetch", "preconnect", "dns-prefetch", "manifest", "image_src"}  # fmt: skip
FOLLOWED = {"A@/href", "AREA@/href", "FORM@/action"}
known = {}


def reversed_name(host):
    """None for addresses, names of one label and names under no public suffix."""
    try:
        host = host.lower() if host.isascii() else idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        return None
    labels = host.split(".")
    sound = all(re.fullmatch(r"[a-z0-9_-]{1,63}", label) for label in labels)
    if not sound or len(labels) < 2 or len(host) > 253 or re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1]):
        return None
    return ".".join(labels[::-1]) if suffixes(host).suffix else None


def host_of(url):
    found = re.match(r"[ \t\r\n\f]*(?:https?:)?//([^/\\?#]*)", url, re.I)
    if not found:
        return None
    host = found[1].rpartition("@")[2].partition(":")[0].rstrip(". \t\r\n")
    if host not in known:
        known[host] = reversed_name(host)
    return known[host]


def is_relative(url):
    return not re.match(r"//|[a-z][a-z0-9+.-]*:", url.lstrip(" \t\r\n\f"), re.I)


def related(url, rel):
    return url, "requisite" if NEEDED & set(rel.lower().split()) else "link"


def followed(path):
    return path in FOLLOWED or path.endswith(("@/cite", "@/formaction", "@/onclick"))


def of_field(name, value):
    if name.lower() in ("location", "content-location"):
        yield value, "link"
    elif name.lower() == "link":
        for url, rest in re.findall(r"(?:^|,)\s*<([^>,;]*)>\s*(?:;([^,]*))?", value):
            yield related(url, rest.partition("rel=")[2].partition(";")[0].strip(" \"'"))


def of_meta(m):
    name, content = (m.get("property") or m.get("name") or "").lower(), m.get("content") or ""
    refresh = re.search("url=(.*)", content, re.I | re.S)
    if (m.get("http-equiv") or "").lower() == "refresh":
        if refresh:
            yield refresh[1].strip(" '\""), "link"
    elif name in ("og:url", "twitter:url"):
        yield content, "link"
    elif name.startswith(("og:", "twitter:")) and re.match("//|http", content, re.I):
        yield content, "requisite"


def of_page(page):
    head = page.get("Head") or {}
    for link in (page.get("Links") or []) + (head.get("Link") or []) + (head.get("Scripts") or []):
        url, path, rel = link.get("url") or link.get("href") or "", link.get("path") or "", link.get("rel") or ""
        if path == "LINK@/href":
            yield related(url, rel)
        elif followed(path):
            yield url, "nofollow" if "nofollow" in rel.lower().split() else "link"
        else:
            yield url, "requisite"
    for m in head.get("Metas") or []:
        yield from of_meta(m)


def envelopes(path):
    """The blocks of metadata records in JSON."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        for line in f:
            if not line.startswith(b"WARC/"):
                continue
            fields = {}
            for field in f:
                if not field.strip():
                    break
                name, _, value = field.decode("utf-8", "replace").partition(":")
                fields[name.lower()] = value.strip()
            block = f.read(int(fields["content-length"]))
            if fields.get("warc-type") == "metadata" and "application/json" in fields.get("content-type", ""):
                yield json.loads(block)["Envelope"]


def links(path):
    """(from, to, kind) of each link to another host, and (from, None, None) of each page."""
    for envelope in envelopes(path):
        arc, warc = envelope.get("ARC-Header-Metadata") or {}, envelope.get("WARC-Header-Metadata") or {}
        if not arc and warc.get("WARC-Type") not in ("response", "resource"):
            continue
        source = host_of((arc.get("Target-URI") or warc.get("WARC-Target-URI") or "").strip("<>"))
        if not source:
            continue
        yield source, None, None
        response = (envelope.get("Payload-Metadata") or {}).get("HTTP-Response-Metadata") or {}
        page = response.get("HTML-Metadata") or {}
        base = host_of((page.get("Head") or {}).get("Base") or "") or source
        found = list(of_page(page))
        for name, values in (response.get("Headers") or {}).items():
            for value in values if isinstance(values, list) else [values]:
                found += [(url, kind, True) for url, kind in of_field(name, value)]
        for url, kind, *field in found:
            # The fields of a response come before its page, and its base.
            target = (source if field else base) if is_relative(url) else host_of(url)
            if target and target != source:
                yield source, target, kind
