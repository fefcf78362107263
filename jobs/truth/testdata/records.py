"""A slow and simple reader of ARC and WARC records, by the standards and from Python's
own library, to hold the programs against. It knows nothing of how they do it.

at(path, offset, length) reads the record there. Whatever is wrong with it stands in
fault; what could be read is there all the same.
"""

import re
import zlib

import brotli
import zstandard


class Record:
    fault = ""  # what is wrong with the bytes
    length = 0  # bytes that the gzip member or the record takes in the file
    version = ""  # "ARC" or the version line
    is_arc = False  # its ARC line is one
    fields = []  # (name, value) of the header, as texts
    type = ""  # WARC-Type; of ARC records response
    line = ""  # of ARC
    header = 0  # bytes of it, with what ends it
    misled = False  # it is not as long as its header says
    block = b""
    head = b""  # of the HTTP message, with its blank line
    body = b""  # what stands behind the head; all of the block where there is none

    def field(self, name):
        return next((v for k, v in self.fields if k.lower() == name.lower()), None)

    def http_fields(self):
        return fields_of(self.head.split(b"\n", 1)[-1])

    def http_field(self, name):
        return next((v for k, v in self.http_fields() if k.lower() == name.lower()), None)


def text(data):
    """UTF-8, or Latin-1 where it is not."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def fields_of(data):
    """Named fields; a line that begins with a space goes on with the one before."""
    found = []
    for line in data.split(b"\n"):
        line = line.rstrip(b"\r")
        if line[:1] in (b" ", b"\t"):
            if found and line.strip():
                found[-1][1] = (found[-1][1] + b" " + line.strip()).strip()
        elif b":" in line:
            name, value = line.split(b":", 1)
            found.append([name.strip(), value.strip()])
    return [(text(k), text(v)) for k, v in found]


def inflate(data, wbits, pieces=1 << 16):
    """What data begins with; how many bytes of it that took; and what is wrong."""
    z, out, i = zlib.decompressobj(wbits), [], 0
    while not z.eof:
        piece = data[i : i + pieces]
        if not piece:
            return b"".join(out), i, "cut off"
        try:
            out.append(z.decompress(piece))
        except zlib.error as e:
            if pieces > 1:
                return inflate(data, wbits, 1)  # for what stands before the damage
            return b"".join(out), i, str(e)
        i += len(piece)
    return b"".join(out), i - len(z.unused_data), ""


def head_length(data):
    """Bytes up to and with the first blank line; all of them where there is none."""
    blank = re.search(rb"\n\r*\n", data)
    return blank.end() if blank else len(data)


def at(path, offset, length=None):
    """The record there. Where its header is wrong about its length, its block is all that
    stands there, up to the next record; if none follows, the header's word counts. length
    is that of the gzip member; of a record that is not compressed more is read, so that
    where it ends is seen here."""
    with open(path, "rb") as f:
        f.seek(offset)
        data = f.read() if length is None else f.read(length)
        plain = data[:2] != b"\x1f\x8b"
        if plain:
            data += f.read(1 << 16)
    r = parse(data)
    short = "length" in r.fault or "bytes of" in r.fault
    if not plain and (short or not r.fault and stray(r.after.lstrip(b"\r\n"))):
        return parse(data, whole=True)
    # Garbage may stand after the line end of a record that is not compressed; a length that
    # is wrong may end it within the next one.
    if plain and (short or re.search(rb"\nWARC/\d\.\d\Z", r.block) or not re.match(rb"\r?\n", r.after) and stray(r.after)):
        end = next_record(data)
        if short or end < len(data):
            return parse(data[:end], whole=True)
    return r


def next_record(data):
    """Where the second record of data that are not compressed begins; their end if none does."""
    end = data.find(b"\n", 1) + 1
    while 0 < end < len(data) and (data[end : end + 2] == b"\x1f\x8b" or stray(data[end : end + 9999])):
        end = data.find(b"\n", end) + 1
    return end or len(data)


def arc_line(line):
    """The five fields of an ARC line, in which URL and media type may have spaces; version
    2 has five more before the length."""
    m = re.fullmatch(r"(\S+) ([0-9a-fA-F.:]+) (\d{8,}\S*) (\S+) \d{3} \S+ \S+ \d+ \S+ (\d+)", line)
    if m:
        return list(m.groups())
    m = re.fullmatch(r"(.+) ([0-9a-fA-F.:]+) (\d{8,}\S*) (.*) (\d+)", line) or re.fullmatch(r"(.+) ([0-9.]+) (\d{8,}\S*) (\d+)", line)
    if not m:
        return None
    found = list(m.groups())
    return found if len(found) == 5 else found[:3] + [""] + found[3:]


def stray(data):
    """Whether data are there and do not begin with another record."""
    return bool(data) and data[:2] != b"\x1f\x8b" and data[:5].upper() != b"WARC/" and not arc_line(text(data.split(b"\n")[0].rstrip(b"\r")))


def parse(data, whole=False):
    """The record that data begin with; its block is all that comes behind the header, but
    for line ends, if whole."""
    r = Record()
    r.misled = whole
    if data[:2] == b"\x1f\x8b":
        data, r.length, r.fault = inflate(data, 31)
        plain = False
    else:
        plain, blank = True, len(data) - len(data.lstrip(b"\r\n"))
    data = data.lstrip(b"\r\n")
    if data[:5].upper() == b"WARC/":
        n = head_length(data)
        r.version = text(data[:n].split(b"\n", 1)[0].strip())
        r.fields = fields_of(data[:n].split(b"\n", 1)[-1])
        r.type = (r.field("WARC-Type") or "").lower()
        size = r.field("Content-Length")
    else:
        line, _, _ = data.partition(b"\n")
        n = len(line) + 1
        r.line = line = text(line.rstrip(b"\r"))
        words = arc_line(line) or line.split(" ")
        r.version, r.type, size = "ARC", "response", words[-1]
        r.fields = [("URL", words[0])]
        if words[0].startswith("filedesc:"):
            r.type = "warcinfo"
        r.words = words
        r.is_arc = len(words) == 5 and words[2][:8].isdigit()
    r.header = n
    if not whole and not re.fullmatch(r"\d+", size or ""):
        r.fault = r.fault or f"length {size!r}"
        size = 0
    if not whole:
        r.block = data[n : n + int(size)]
    else:
        r.block = re.sub(rb"\n\Z" if r.version == "ARC" else rb"(\r\n\r\n|\n\n)\Z", b"", data[n:])
        size = len(r.block)
    if len(r.block) < int(size):
        r.fault = r.fault or f"{len(r.block)} bytes of {size}"
    r.after = data[n + int(size) :]
    if plain:
        r.length = blank + n + len(r.block)
    r.body = r.block
    if r.type in ("response", "revisit") and r.block[:5].upper() == b"HTTP/":
        n = head_length(r.block)
        r.head, r.body = r.block[:n], r.block[n:]
    return r


def dechunk(data):
    """RFC 9112, section 7.1. Data whose first two sizes are none are not chunked: many
    crawlers have taken the coding off and left the field."""
    out, rest, sizes = b"", data, 0

    def broken():
        return (out, "damaged chunk") if sizes > 1 else (data, "")

    def cut_off():
        return (out, "cut off") if sizes > 0 else (data, "")

    while True:
        line, newline, rest = rest.partition(b"\n")
        size = line.split(b";")[0].strip()
        if not newline:
            return cut_off()
        if not re.fullmatch(rb"[0-9a-fA-F]+", size):
            return broken()
        sizes += 1
        size = int(size, 16)
        if size == 0:
            return out, ""
        out, rest = out + rest[:size], rest[size:]
        line, newline, rest = rest.partition(b"\n")
        if not newline:
            return cut_off()
        if line.strip(b"\r"):
            return broken()


def gunzip(data):
    if data[:2] != b"\x1f\x8b":
        return data, ""
    out = b""
    while data[:2] == b"\x1f\x8b":
        part, n, fault = inflate(data, 31)
        out += part
        if fault:
            return out, fault
        data = data[n:]
    return out, ""


def undeflate(data):
    """In the zlib format, as RFC 9110 says, or without it, as servers did."""
    zlib_head = len(data) > 1 and data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
    out, _, fault = inflate(data[2:] if zlib_head else data, -15)
    return (data, "") if fault and looks_like_text(data) else (out, fault)


def looks_like_text(data):
    try:
        data[:512].decode("utf-8", "strict" if len(data) <= 512 else "ignore")
    except UnicodeDecodeError:
        return False
    return not re.search(rb"[\x00-\x08\x0b\x0e-\x1f]", data[:512])


def unbrotli(data):
    try:
        return brotli.decompress(data), ""
    except brotli.error as e:
        return (data, "") if looks_like_text(data) else (b"", str(e))


def unzstd(data):
    if data[:4] != b"\x28\xb5\x2f\xfd":
        return data, ""
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(data), ""
    except zstandard.ZstdError as e:
        return b"", str(e)


CODINGS = {"chunked": dechunk, "gzip": gunzip, "x-gzip": gunzip, "deflate": undeflate, "br": unbrotli, "zstd": unzstd}


def payload(r):
    """The body without transfer and content codings, as a browser has it; and what is
    wrong with it."""
    data, faults = r.body, r.fault
    for field in ("transfer-encoding", "content-encoding"):
        named = ",".join(v for k, v in r.http_fields() if k.lower() == field)
        for coding in reversed(named.split(",")):
            coding = coding.split(";")[0].strip(" \t\"'").lower()
            if coding in ("", "identity", "none") or not data:
                continue
            if coding not in CODINGS:
                return data, faults or f"unknown coding {coding}"
            data, fault = CODINGS[coding](data)
            faults = faults or fault
    return data, faults


def elsewhere(r):
    """Whether the record is a revisit whose payload another one has: there are no bytes of
    it here, and its digest does not tell that there are none. Where the answer was "not
    modified", the digest is that of the answer."""
    empty = r.field("WARC-Payload-Digest") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
    unmodified = (r.field("WARC-Profile") or "").endswith("/server-not-modified")
    return r.type == "revisit" and not r.body and (unmodified or not empty)
