"""What expressions on the lines of an index are, each written again in Python.

expressions.py list        the expressions, an object of JSON a line: kind (condition or
                           value) and expr
expressions.py condition   standard input: lines of CDXJ; a line for each condition: the
                           numbers of the lines for which it is true
expressions.py value       a line for each line of CDXJ: a list of lists, each with the value of an
                           expression, or empty where this program does not know it
expressions.py link        standard input: a list of JSON a line, of a URL and a link in that
                           page; what it is made absolute, with its domain, file and suffix
"""

import base64
import functools
import json
import re
import sys
import urllib.parse

import surt
import tldextract

suffixes = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=False)


@functools.lru_cache(None)
def host_of(url):
    """A text without a scheme is what somebody types into a browser, and http:// may stand
    there twice or with other slashes, as for surt. dns:NAME has no host."""
    url = re.sub(r"^(https?:/*)+", "http://", url, flags=re.I)
    m = re.match(r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#]*@)?([^/?#]*)", url, re.I) or re.match(r"(?![a-z][a-z0-9+-]*:)([^/?#]+)", url, re.I)
    if not m or url.startswith("filedesc:"):
        return ""
    host = urllib.parse.unquote(re.sub(r":\d*$", "", m[1])).strip("[]").replace("..", ".").rstrip(".")
    try:
        return (host if host.isascii() else host.encode("idna").decode()).lower()
    except UnicodeError:  # no name of a host
        return re.sub("[A-Z]+", lambda m: m[0].lower(), host)


@functools.lru_cache(None)
def domain_of(host):
    labels = host.split(".")
    if ":" in host or labels[-1].isdigit():
        return host  # an address, or something like it
    found = suffixes(re.sub("[^a-z0-9._-]", "x", host))
    n = found.suffix.count(".") + 2 if found.suffix else 2
    return ".".join(labels[-n:])


def parts(url):
    """Scheme, authority, path, query and fragment, by RFC 3986, section 3 and appendix B."""
    m = re.match(r"(?s)(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", url)
    return list(m.groups())


def file_of(url):
    return parts(url)[2].rpartition("/")[2]


def suffix_of(url):
    name = file_of(url)
    return name.rpartition(".")[2].lower() if "." in name else ""


def without_dots(path):
    """RFC 3986, section 5.2.4."""
    out = []
    segments = path.split("/")
    for i, segment in enumerate(segments):
        last = i == len(segments) - 1
        if segment == "..":
            if len(out) > 1:
                out.pop()
        elif segment != ".":
            out.append(segment)
            continue
        if last:
            out.append("")
    return "/".join(out)


def absolute(link, base):
    """RFC 3986, section 5.2.2; line ends and tabs in a link count for nothing, and what no
    URL can have is escaped."""
    scheme, authority, path, query, fragment = parts(re.sub("[\t\r\n]", "", link).strip(" \f"))
    base = parts(base)
    if scheme is None:
        scheme = base[0]
        if authority is None:
            authority = base[1]
            if not path:
                path = base[2]
                query = base[3] if query is None else query
            else:
                if not path.startswith("/"):
                    path = "/" + path if authority is not None and not base[2] else base[2].rpartition("/")[0] + "/" + path
                path = without_dots(path)
        else:
            path = without_dots(path)
    elif authority is not None:
        path = without_dots(path)
    url = scheme + ":" if scheme is not None else ""
    url += "//" + authority if authority is not None else ""
    tail = path + ("?" + query if query is not None else "") + ("#" + fragment if fragment is not None else "")
    return url + urllib.parse.quote(tail, safe="!#$%&'()*+,/:;=?@[]~")


class Capture:
    def __init__(self, line):
        self.surt, self.timestamp, members = line.rstrip("\n").split(" ", 2)
        m = json.loads(members)
        for name in ("url", "mime", "redirect", "filename"):
            setattr(self, name, m.get(name, ""))
        self.digest = m.get("digest", "").removeprefix("sha1:")
        self.meta = m.get("robotflags", "")
        self.status, self.offset, self.length = int(m.get("status") or 0), int(m["offset"]), int(m.get("length") or -1)
        self.host = host_of(self.url)
        self.domain = domain_of(self.host)
        self.year, self.month = int(self.timestamp[:4]), int(self.timestamp[4:6])


def instant(c):
    t = c.timestamp
    return f"{t[:4]}-{t[4:6]}-{t[6:8]}T{t[8:10]}:{t[10:12]}:{t[12:]}Z"


CONDITIONS = {
    "status == 200": lambda c: c.status == 200,
    "status != 200": lambda c: c.status != 200,
    "status == 0": lambda c: c.status == 0,
    "status in 300..399": lambda c: 300 <= c.status <= 399,
    "status in [200, 404, 503]": lambda c: c.status in (200, 404, 503),
    "not (status in [200, 404, 503])": lambda c: c.status not in (200, 404, 503),
    "status > 200 and status < 400": lambda c: 200 < c.status < 400,
    "status >= 400 || status <= 0": lambda c: c.status >= 400 or c.status <= 0,
    "404 <= status": lambda c: c.status >= 404,
    "status % 100 == 1": lambda c: c.status % 100 == 1,
    "length > 10000": lambda c: c.length > 10000,
    "length * 2 <= 1000 + 24": lambda c: c.length * 2 <= 1024,
    "length / 1000 > 5.5": lambda c: c.length / 1000 > 5.5,
    "offset == 0": lambda c: c.offset == 0,
    "offset + length > 2 ** 20": lambda c: c.offset + c.length > 2**20,
    "length < 0": lambda c: c.length < 0,
    'mime == "text/html"': lambda c: c.mime == "text/html",
    'mime != "text/html"': lambda c: c.mime != "text/html",
    'mime < "image/png"': lambda c: c.mime < "image/png",
    'mime in ["image/gif", "image/jpeg"]': lambda c: c.mime in ("image/gif", "image/jpeg"),
    'mime startsWith "image/"': lambda c: c.mime.startswith("image/"),
    'mime endsWith "javascript"': lambda c: c.mime.endswith("javascript"),
    'lower(mime) == "text/dns"': lambda c: c.mime.lower() == "text/dns",
    'mime == ""': lambda c: c.mime == "",
    'mime == "warc/revisit"': lambda c: c.mime == "warc/revisit",
    'url contains "?"': lambda c: "?" in c.url,
    'not (url contains "?")': lambda c: "?" not in c.url,
    '!(url contains "?") && url endsWith "/"': lambda c: "?" not in c.url and c.url.endswith("/"),
    r'url matches "^https?://(www\\.)?[a-z]+\\.(org|com)/"': lambda c: re.search(r"^https?://(www\.)?[a-z]+\.(org|com)/", c.url),
    r'url matches "(?i)\\.JPE?G$"': lambda c: re.search(r"(?i)\.JPE?G$", c.url),
    'url == "http://www.archive.org/"': lambda c: c.url == "http://www.archive.org/",
    'url > "http://www.archive.org/" && url < "http://x"': lambda c: "http://www.archive.org/" < c.url < "http://x",
    'url startsWith "https://"': lambda c: c.url.startswith("https://"),
    'surt startsWith "org,archive)/"': lambda c: c.surt.startswith("org,archive)/"),
    'surt >= "org," && surt < "org-"': lambda c: "org," <= c.surt < "org-",
    'surt == "org,archive)/"': lambda c: c.surt == "org,archive)/",
    'surt in ["org,archive)/", "com,example)/"]': lambda c: c.surt in ("org,archive)/", "com,example)/"),
    'host == "www.archive.org"': lambda c: c.host == "www.archive.org",
    'host != "www.archive.org"': lambda c: c.host != "www.archive.org",
    'host endsWith ".archive.org"': lambda c: c.host.endswith(".archive.org"),
    'host in ["example.com", "www.archive.org", "garden.example"]': lambda c: c.host in ("example.com", "www.archive.org", "garden.example"),
    r'host matches "^[0-9.]+$"': lambda c: re.search("^[0-9.]+$", c.host),
    'host == ""': lambda c: c.host == "",
    'domain == "archive.org"': lambda c: c.domain == "archive.org",
    'domain == "archive.org" || domain == "iana.org"': lambda c: c.domain in ("archive.org", "iana.org"),
    'domain in ["archive.org", "iana.org"] && status == 200': lambda c: c.domain in ("archive.org", "iana.org") and c.status == 200,
    'domain != host': lambda c: c.domain != c.host,
    'domain endsWith ".uk"': lambda c: c.domain.endswith(".uk"),
    "year == 2014": lambda c: c.year == 2014,
    "year >= 2008 && year <= 2010 && month == 4": lambda c: 2008 <= c.year <= 2010 and c.month == 4,
    "month in [1, 2, 12]": lambda c: c.month in (1, 2, 12),
    "month > year - 2008": lambda c: c.month > c.year - 2008,
    'digest == "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"': lambda c: c.digest == "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
    'digest contains ":"': lambda c: ":" in c.digest,
    'digest == ""': lambda c: c.digest == "",
    'redirect != ""': lambda c: c.redirect != "",
    'redirect startsWith "http" && !(redirect startsWith url)': lambda c: c.redirect.startswith("http") and not c.redirect.startswith(c.url),
    'meta == ""': lambda c: c.meta == "",
    'filename endsWith ".arc.gz"': lambda c: c.filename.endswith(".arc.gz"),
    'filename contains "warc" && not (filename endsWith ".gz")': lambda c: "warc" in c.filename and not c.filename.endswith(".gz"),
    'timestamp >= "2014-06-01"': lambda c: instant(c) >= "2014-06-01T00:00:00Z",
    'timestamp >= "20140601"': lambda c: instant(c) >= "2014-06-01T00:00:00Z",
    "timestamp >= 20140601": lambda c: instant(c) >= "2014-06-01T00:00:00Z",
    'timestamp < "2008-04-30T20:48:25Z"': lambda c: instant(c) < "2008-04-30T20:48:25Z",
    'timestamp <= "2008-04-30 20:48:25"': lambda c: instant(c) <= "2008-04-30T20:48:25Z",
    'timestamp > "2008-04-30T22:48:25+02:00"': lambda c: instant(c) > "2008-04-30T20:48:25Z",
    'timestamp == "2008-04"': lambda c: instant(c).startswith("2008-04-"),
    'timestamp != "2008"': lambda c: not instant(c).startswith("2008-"),
    'timestamp == "20080430204825"': lambda c: instant(c) == "2008-04-30T20:48:25Z",
    "timestamp in [2004, 2008, 2014]": lambda c: instant(c)[:4] in ("2004", "2008", "2014"),
    'timestamp startsWith "2008-04-30"': lambda c: instant(c).startswith("2008-04-30"),
    '"2004" <= timestamp && timestamp < "2005"': lambda c: instant(c).startswith("2004"),
    'hostOf(url) == host && domainOf(url) == domain': lambda c: True,
    'suffixOf(url) in ["jpg", "jpeg", "png", "gif"]': lambda c: suffix_of(c.url) in ("jpg", "jpeg", "png", "gif"),
    'fileOf(url) == ""': lambda c: file_of(c.url) == "",
    "len(url) > 100": lambda c: len(c.url) > 100,
    'status == 200 ? mime == "text/html" : length > 500': lambda c: c.mime == "text/html" if c.status == 200 else c.length > 500,
    'let ok = status == 200; ok && (mime contains "html" || mime contains "xml")': lambda c: c.status == 200 and ("html" in c.mime or "xml" in c.mime),
    'any(split(surt, ","), # == "archive)/")': lambda c: "archive)/" in c.surt.split(","),
    '(host == "www.archive.org" && year > 2006) || surt startsWith "com,example"': lambda c: c.host == "www.archive.org" and c.year > 2006 or c.surt.startswith("com,example"),
    'not (domain == "archive.org") and not (status == 200 or status == 0)': lambda c: c.domain != "archive.org" and c.status not in (0, 200),
}  # fmt: skip


def ternary(c):
    return "none" if c.status == 0 else "ok" if c.status < 300 else "moved" if c.status < 400 else "failed"


VALUES = {
    "surt": lambda c: c.surt, "timestamp": lambda c: c.timestamp, "url": lambda c: c.url, "mime": lambda c: c.mime,
    "status": lambda c: c.status, "digest": lambda c: c.digest, "redirect": lambda c: c.redirect, "meta": lambda c: c.meta,
    "length": lambda c: c.length, "offset": lambda c: c.offset, "filename": lambda c: c.filename, "host": lambda c: c.host,
    "domain": lambda c: c.domain, "year": lambda c: c.year, "month": lambda c: c.month,
    "surtOf(url)": lambda c: surt_of(c.url),
    "hostOf(url)": lambda c: host_of(c.url),
    "domainOf(url)": lambda c: domain_of(host_of(c.url)),
    "fileOf(url)": lambda c: file_of(c.url),
    "suffixOf(url)": lambda c: suffix_of(c.url),
    'absolute("../up/a.html?x=1#y", url)': lambda c: joined(c, "../up/a.html?x=1#y"),
    'absolute("?q=2", url)': lambda c: joined(c, "?q=2"),
    'absolute("//other.example/z", url)': lambda c: joined(c, "//other.example/z"),
    'absolute("./b/./c/../d", url)': lambda c: joined(c, "./b/./c/../d"),
    'absolute("/", url)': lambda c: joined(c, "/"),
    'absolute("mailto:a@b.example", url)': lambda c: joined(c, "mailto:a@b.example"),
    "upper(mime)": lambda c: c.mime.upper(),
    "lower(url)": lambda c: c.url.lower(),
    'trim(digest, "A")': lambda c: c.digest.strip("A"),
    'trimPrefix(url, "http://")': lambda c: c.url.removeprefix("http://"),
    'trimSuffix(url, "/")': lambda c: c.url.removesuffix("/"),
    'split(url, "/")': lambda c: c.url.split("/"),
    'split(url, "/", 4)': lambda c: c.url.split("/", 3),
    'splitAfter(mime, "/")': lambda c: [w + "/" for w in c.mime.split("/")[:-1]] + c.mime.split("/")[-1:],
    'replace(surt, ",", ".")': lambda c: c.surt.replace(",", "."),
    'repeat(mime, 2)': lambda c: c.mime * 2,
    'indexOf(url, "?")': lambda c: c.url.encode().find(b"?"),
    'lastIndexOf(url, "/")': lambda c: c.url.encode().rfind(b"/"),
    'hasPrefix(url, "https")': lambda c: c.url.startswith("https"),
    'hasSuffix(url, "/")': lambda c: c.url.endswith("/"),
    "len(url)": lambda c: len(c.url),
    "url[7:12]": lambda c: c.url[7:12],
    "host + \":\" + string(status)": lambda c: f"{c.host}:{c.status}",
    "max(length, offset)": lambda c: max(c.length, c.offset),
    "min(length, 1000)": lambda c: min(c.length, 1000),
    "abs(length - offset)": lambda c: abs(c.length - c.offset),
    "ceil(length / 1000)": lambda c: -(-c.length // 1000),
    "floor(offset / 1000)": lambda c: c.offset // 1000,
    "round(length / 1024)": lambda c: (c.length * 2 + 1024) // 2048 if c.length >= 0 else 0,
    "length % 7 + offset * 2 - 1": lambda c: c.length % 7 + c.offset * 2 - 1 if c.length >= 0 else -1 + c.offset * 2 - 1,
    "int(timestamp[0:8])": lambda c: int(c.timestamp[:8]),
    "float(status) / 4": lambda c: c.status / 4,
    'all(split(host, "."), len(#) > 2)': lambda c: all(len(w) > 2 for w in c.host.split(".")),
    'none(split(host, "."), # == "www")': lambda c: "www" not in c.host.split("."),
    'one(split(host, "."), # == "org")': lambda c: c.host.split(".").count("org") == 1,
    'map(split(host, "."), upper(#))': lambda c: [w.upper() for w in c.host.split(".")],
    'filter(split(url, "/"), # != "")': lambda c: [w for w in c.url.split("/") if w],
    'find(split(url, "/"), # contains ".")': lambda c: next((w for w in c.url.split("/") if "." in w), None),
    'findIndex(split(url, "/"), # contains ".")': lambda c: next((i for i, w in enumerate(c.url.split("/")) if "." in w), None),
    'findLast(split(url, "/"), # contains ".")': lambda c: next((w for w in reversed(c.url.split("/")) if "." in w), None),
    'count(split(url, "/"), # == "")': lambda c: c.url.split("/").count(""),
    'uniq(split(url, ""))': lambda c: list(dict.fromkeys(c.url)),
    'join(reverse(split(host, ".")), ",")': lambda c: ",".join(reversed(c.host.split("."))),
    'sort(split(host, "."))': lambda c: sorted(c.host.split(".")),
    'first(split(url, "/"))': lambda c: c.url.split("/")[0],
    'last(split(url, "/"))': lambda c: c.url.split("/")[-1],
    'take(split(url, "/"), 2)': lambda c: c.url.split("/")[:2],
    'concat(split(host, "."), [mime])': lambda c: c.host.split(".") + [c.mime],
    'reduce(split(host, "."), #acc + len(#), 0)': lambda c: len(c.host.replace(".", "")),
    "sum([length, offset, status])": lambda c: c.length + c.offset + c.status,
    "mean([status, year])": lambda c: (c.status + c.year) / 2,
    "median([status, year, month])": lambda c: sorted([c.status, c.year, c.month])[1],
    'keys({"a": status})': lambda c: ["a"],
    '{"h": host, "s": status}': lambda c: {"h": c.host, "s": c.status},
    '[host, status, status == 200]': lambda c: [c.host, c.status, c.status == 200],
    "fromJSON(toJSON([url, status]))": lambda c: [c.url, c.status],
    'fromJSON("[" + string(status) + "]")[0]': lambda c: c.status,
    "toBase64(url)": lambda c: base64.b64encode(c.url.encode()).decode(),
    "fromBase64(toBase64(host))": lambda c: c.host,
    "type(status)": lambda c: "int",
    "bitand(status, 255)": lambda c: c.status & 255,
    "bitxor(year, month)": lambda c: c.year ^ c.month,
    "bitshl(month, 3)": lambda c: c.month << 3,
    'status == 0 ? "none" : status < 300 ? "ok" : status < 400 ? "moved" : "failed"': ternary,
    'status == 200': lambda c: c.status == 200,
    'redirect == "" ? nil : redirect': lambda c: c.redirect or None,
    'url matches "[0-9]{3}"': lambda c: bool(re.search("[0-9]{3}", c.url)),
    'url | split("/") | len()': lambda c: c.url.count("/") + 1,
}  # fmt: skip


class Unknown(Exception):
    """This program does not know."""


def surt_of(url):
    try:
        return surt.surt(url)
    except Exception:
        raise Unknown from None


def joined(c, link):
    if not re.match("https?://", c.url):
        raise Unknown
    return absolute(link, c.url)


def value(of, c):
    try:
        return [of(c)]
    except Unknown:
        return []


if __name__ == "__main__":
    if sys.argv[1] == "list":
        for kind, all_ in (("condition", CONDITIONS), ("value", VALUES)):
            for text in all_:
                print(json.dumps({"kind": kind, "expr": text}))
        sys.exit()
    if sys.argv[1] == "link":
        for line in sys.stdin:
            base, link = json.loads(line)
            url = absolute(link, base)
            print(json.dumps([url, domain_of(host_of(url)), file_of(link), suffix_of(url)]))
        sys.exit()
    captures = [Capture(line) for line in sys.stdin]
    if sys.argv[1] == "condition":
        for is_true in CONDITIONS.values():
            print(*(i for i, c in enumerate(captures) if is_true(c)))
    else:
        for c in captures:
            print(json.dumps([value(of, c) for of in VALUES.values()]))
