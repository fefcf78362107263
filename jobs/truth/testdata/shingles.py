"""Documents as lib/documents says that they are: terms, shingles, attributes.

Words are cut by the rules of UAX #29, written as a regular expression; the package regex
knows the classes. (Its own word boundaries are not the default ones: they part an
apostrophe from a vowel.) A shingle is a tuple of terms, without any hash.
"""

import gzip
import json
import unicodedata

import regex

# WB4: what belongs to the character before it; WB3c: a pictograph after a joiner.
X = r"(?:[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]++(?:(?<=\u200d)\p{Extended_Pictographic})?+)*+"
LETTER = r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]"
WORDS = [
    rf"\p{{WB=Hebrew_Letter}}{X}\"{X}(?=\p{{WB=Hebrew_Letter}})",  # WB7b, WB7c
    rf"{LETTER}{X}(?:[\p{{WB=MidLetter}}\p{{WB=MidNumLet}}']{X}(?={LETTER}))?+",  # WB5 to WB7, WB9
    rf"\p{{WB=Numeric}}{X}(?:[\p{{WB=MidNum}}\p{{WB=MidNumLet}}']{X}(?=\p{{WB=Numeric}}))?+",  # WB8, WB10 to WB12
]
WORD = rf"(?:{'|'.join(WORDS)})++(?:(?<=\p{{WB=Hebrew_Letter}}){X}'{X})?+"  # WB7a
KATAKANA = rf"(?:\p{{WB=Katakana}}{X})++"  # WB13
JOINER = rf"(?:\p{{WB=ExtendNumLet}}{X})"  # WB13a, WB13b
PIECE = regex.compile(
    rf"{JOINER}*+(?:{WORD}|{KATAKANA})(?:{JOINER}++(?:{WORD}|{KATAKANA}))*+{JOINER}*+"
    rf"|(?:[\p{{L}}\p{{N}}]|[^\r\n\p{{WB=Newline}}](?=\p{{WB=Extend}})){X}"  # WB999
)
NAMES = ("bytes", "terms", "shingles")
# There is always a boundary at these.
BLANKS = dict.fromkeys(map(ord, "\t\r\n"), " ")


def lower(character):
    """One character for one, as of the simple mappings of Unicode."""
    return character.lower()[:1]


class Terms:
    """Terms of texts as numbers, the same for equal ones."""

    def __init__(self):
        self.of_part, self.numbers = {}, {}

    def numbered(self, part):
        """The terms of what has no blanks in it."""
        found = []
        for piece in PIECE.findall(part):
            if any(unicodedata.category(c)[0] in "LN" for c in piece):
                term = unicodedata.normalize("NFC", "".join(map(lower, piece)))
                found.append(self.numbers.setdefault(term, len(self.numbers)))
        return found

    def cut(self, text):
        terms = []
        for part in unicodedata.normalize("NFC", text).translate(BLANKS).split(" "):
            found = self.of_part.get(part)
            if found is None:
                found = self.of_part[part] = self.numbered(part)
            terms += found
        return terms


def shingles(terms, k):
    if 0 < len(terms) < k:
        return {tuple(terms)}
    return set(zip(*(terms[i:] for i in range(k))))


class Document:
    """One document: its members, terms and sets of numbers of shingles by their size."""

    def __init__(self, line, terms):
        self.members = {k: v for k, v in json.loads(line).items()}
        self.id = self.members["id"] if isinstance(self.members["id"], str) else str(self.members["id"])
        text = self.members.pop("text", None) or ""
        raw = text.encode("utf-8", "replace")
        self.text_bytes = len(raw)
        self.terms = terms.cut(raw.decode())
        self.sets = {}

    def place(self):
        """Where its record is."""
        return f"{self.members.get('filename', '-')} {self.members.get('offset', self.id)}"

    def size(self):
        own = self.members.get("bytes")
        return int(own) if isinstance(own, (int, float)) and not isinstance(own, bool) and own >= 0 else self.text_bytes

    def said(self, k):
        """The members of the document's line in documents/."""
        numbers = dict(zip(NAMES, (self.text_bytes, len(self.terms), len(self.sets[k]))))
        said = {}
        for name, n in numbers.items():
            while name in self.members:
                name = "_" + name
            said[name] = n
        return {**said, **self.members}


class Collection:
    """The documents of files; shingles have numbers, the same in all of them."""

    def __init__(self):
        self.terms, self.numbers, self.files = Terms(), {}, {}

    def read(self, path, k):
        if path not in self.files:
            with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as f:
                self.files[path] = [Document(line, self.terms) for line in f if line.strip()]
        for d in self.files[path]:
            if k not in d.sets:
                d.sets[k] = frozenset(self.numbers.setdefault(s, len(self.numbers)) for s in shingles(d.terms, k))
        return self.files[path]
