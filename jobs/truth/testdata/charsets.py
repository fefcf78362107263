"""The character encoding of a payload and its text, by the WHATWG Encoding standard and
Python's codecs."""

import codecs
import re

import webencodings

# Python's codecs that decode what the standard means by a name, where that is another
# one than Python's own of that name.
CODECS = {
    "shift_jis": "cp932", "euc-kr": "cp949", "gbk": "gb18030", "big5": "big5hkscs", "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman", "ibm866": "cp866", "iso-8859-8-i": "iso8859_8",
    "hz-gb-2312": "hz", "utf-32le": "utf_32_le", "utf-32be": "utf_32_be", "ibm855": "cp855",
}  # fmt: skip

# Characters of JIS X 0208 that the standard has as Windows does, and Python's codecs do not.
FULL_WIDTH = str.maketrans("\u301c\u2212\u2016\xa2\xa3\xac", "\uff5e\uff0d\u2225\uffe0\uffe1\uffe2")

MARKS = [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\0\0", "utf-32le"), (b"\0\0\xfe\xff", "utf-32be"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be")]


def control(error):
    """What a table of one byte leaves out is a control character below 0xA0."""
    bad = error.object[error.start : error.end]
    return "".join(chr(b) if 0x80 <= b < 0xA0 else "\ufffd" for b in bad), error.end


codecs.register_error("whatwg", control)


def named(label):
    found = webencodings.lookup(label.strip(" \t\r\n\f\"'"))
    return found and found.name


def parameter(value):
    """The charset of a content type."""
    m = re.search(r"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|["']?([^;\s,]*))""", value, re.I)
    return m and next(g for g in m.groups() if g is not None)


def declared(data):
    """What the page names in its first 8 KiB."""
    begin = data[: 8 << 10].decode("latin-1")
    xml = re.match(r"""[ \t\r\n\f]*<\?xml[^>]*?\sencoding\s*=\s*["']?([^"'\s>]*)""", begin)
    if xml and named(xml[1]):
        return named(xml[1])
    begin = re.sub(r"<!--.*?-->", "", begin, flags=re.S)
    for tag in re.finditer(r"""<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*')*)""", begin, re.I):
        attributes = {}
        for m in re.finditer(r"""([^\s/=>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""", tag[1]):
            attributes.setdefault(m[1].lower(), m[2] or m[3] or m[4] or "")
        label = attributes.get("charset")
        if label is None and attributes.get("http-equiv", "").strip().lower() == "content-type":
            label = parameter(attributes.get("content", ""))
        if label and named(label):
            name = named(label)
            return "utf-8" if name.startswith("utf-16") else name
    return None


def charset(data, content_type):
    """The name of the encoding, without the length of its mark; None where nothing but
    the bytes' look could tell."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return name, len(mark)
    label = parameter(content_type or "")
    name = label and named(label) or declared(data)
    if name:
        return name, 0
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
        return (None if b"\x1b" in data and data.isascii() else "utf-8"), 0
    except UnicodeDecodeError:
        return None, 0


def decode(data, name):
    if name == "utf-8":
        return data.decode("utf-8", "replace")
    codec = CODECS.get(name, name)
    if name in ("euc-jp", "iso-2022-jp"):
        return data.decode(codec, "replace").translate(FULL_WIDTH)
    return data.decode(codec, "whatwg" if re.match("windows|iso|mac|x-mac", name) else "replace")
