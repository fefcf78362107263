"""Answers of Python's surt and pywb, for the tests of lib/surt.

python oracle.py keys     reads URL, writes KEY
python oracle.py ranges   reads URL TAB MATCH, writes FROM TAB TO (pywb)
python oracle.py bodies   reads METHOD TAB CONTENT-TYPE TAB URL TAB BODY,
                          writes URL TAB URL (pywb, cdxj-indexer)

One line each. Fields are escaped as lib/stage does it. Where the tool raises an
exception its name stands behind a "!". Exit status: 3 if a tool is not installed.
"""
import contextlib
import io
import re
import socket
import sys
import warnings

warnings.filterwarnings("ignore")

NAMED = {b"\\": b"\\", b"t": b"\t", b"n": b"\n", b"r": b"\r"}


def unescape(field):
    return re.sub(
        rb"\\(x..|.)",
        lambda m: bytes([int(m[1][1:], 16)]) if m[1][:1] == b"x" else NAMED[m[1]],
        field,
        flags=re.S,
    )


def escape(field):
    names = {9: b"\\t", 10: b"\\n", 13: b"\\r", 92: b"\\\\"}
    return b"".join(
        names.get(c) or (b"\\x%02x" % c if c < 32 else bytes([c])) for c in field
    )


def attempt(function, *arguments):
    try:
        # The tools print what they do not understand.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return function(*arguments)
    except Exception as e:
        return ("!" + type(e).__name__).encode()


def keys():
    from surt import surt

    # surt asks the resolver for hosts that are almost IPv4 addresses: once is enough.
    known = {}
    resolve = socket.gethostbyname_ex

    def resolve_once(host):
        if host not in known:
            try:
                known[host] = resolve(host)
            except OSError as e:
                known[host] = e
        if isinstance(known[host], OSError):
            raise known[host]
        return known[host]

    socket.gethostbyname_ex = resolve_once
    return surt


def ranges():
    from pywb.utils.canonicalize import calc_search_range

    def answer(url, match):
        found = calc_search_range(url.decode(), match.decode())
        return tuple(text.encode() for text in found)

    return answer


def bodies():
    from cdxj_indexer.postquery import append_method_query
    from pywb.warcserver.inputrequest import MethodQueryCanonicalizer

    def pywb(method, mime, url, body):
        query = MethodQueryCanonicalizer(method, mime, len(body), io.BytesIO(body), environ={})
        return query.append_query(url).encode()

    def cdxj_indexer(method, mime, url, body):
        _, suffix = append_method_query(method, mime, len(body), io.BytesIO(body), url)
        return (url + suffix).encode()

    def answer(method, mime, url, body):
        texts = method.decode(), mime.decode("latin-1"), url.decode(), body
        return attempt(pywb, *texts), attempt(cdxj_indexer, *texts)

    return answer


try:
    answer = {"keys": keys, "ranges": ranges, "bodies": bodies}[sys.argv[1]]()
except ImportError as e:
    print(e, file=sys.stderr)
    sys.exit(3)
for line in sys.stdin.buffer:
    result = attempt(answer, *(unescape(field) for field in line.rstrip(b"\n").split(b"\t")))
    fields = result if isinstance(result, tuple) else (result,)
    sys.stdout.buffer.write(b"\t".join(escape(field) for field in fields) + b"\n")
