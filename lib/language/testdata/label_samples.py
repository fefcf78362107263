"""Gather texts whose language is known, with what CLD2 says of them.

label_samples.py PYCLD2 DJANGO SPACY WHATLANGGO > samples.tsv

PYCLD2, DJANGO and SPACY are the packages' sources unpacked, WHATLANGGO the folder of the
Go module. Standard output: SOURCE TAB LANGUAGE TAB ANSWER TAB TEXT, a line for each text
in a language that whatlanggo knows. Codes are those of ISO 639-3 that package language
gives; the answer is the first language that CLD2 gives, - for none. Sources:

cld2        CLD2's own texts for its tests, of one or two lines
whatlanggo  whatlanggo's own, a sentence for each language
django      what Django says to its users, 600 characters of it at a time
spacy       sentences by those who made spaCy's support of a language
"""

import ast
import glob
import importlib.util
import json
import os
import re
import sys

import pycld2

# ISO 639-3, and what CLD2, Django and spaCy say instead. Without a second: CLD2 does
# not know it.
LANGUAGES = dict(
    pair.split(":")
    for pair in """af:afr ak:aka am:amh ar:ara az:aze be:bel bh:bho bg:bul bn:ben ceb:ceb cs:ces da:dan de:deu el:ell
    en:eng eo:epo es:spa et:est fa:fas fi:fin fr:fra gu:guj ha:hau he:heb hi:hin hr:hrv ht:hat hu:hun id:ind ig:ibo
    it:ita ja:jpn jv:jav ka:kat km:khm kn:kan ko:kor ku:kur lt:lit lv:lav mg:mlg mk:mkd ml:mal mr:mar my:mya nb:nob
    ne:nep nl:nld nn:nno ny:nya om:orm or:ori pa:pan pl:pol pt:por rn:run ro:ron ru:rus rw:kin si:sin sl:slv sn:sna
    so:som sr:srp sv:swe ta:tam te:tel th:tha ti:tir tk:tuk tl:tgl tr:tur ug:uig uk:ukr ur:urd uz:uzb vi:vie yi:yid
    yo:yor zh:zho zu:zul ilo:ilo skr:skr mai:mai""".split()
)
SAME = {"iw": "he", "jw": "jv", "no": "nb", "zh-Hant": "zh", "zh_Hans": "zh", "zh_Hant": "zh", "pt_BR": "pt", "in": "id"}
MACRO = {"arb": "ara", "azj": "aze", "cmn": "zho", "pes": "fas"}
# Where CLD2 has one code for several languages, it is right with that.
COMMON = {"mai": "bho"}
# In a script that whatlanggo does not know them in.
UNKNOWN = re.compile("(ku|uz):[\u0600-\u06ff]|(uz|ug|ro):[\u0400-\u04ff]|sr:[a-z]|tl:[\u1700-\u171f]")


told = set()


def code_of(name):
    name = SAME.get(name, name)
    return LANGUAGES.get(name, name)


def answer(text):
    first = pycld2.detect(text.encode(), bestEffort=True)[2][0][1]
    return "-" if first == "un" else code_of(first)


def tell(source, language, text):
    text = " ".join(text.split())
    if language not in LANGUAGES.values() or (language, text) in told:
        return
    told.add((language, text))
    said = answer(text)
    if COMMON.get(language) == said:
        said = language
    print(source, language, said, text, sep="\t")


def from_cld2(folder):
    module = ast.parse(open(os.path.join(folder, "test_pycld2.py"), encoding="utf-8").read())
    codes = {name.lower(): code for name, code in pycld2.LANGUAGES}
    for node in module.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "TEST_DATA":
            for name, text in ast.literal_eval(node.value.args[0]):
                code = codes[name.lower()]
                if not UNKNOWN.match(SAME.get(code, code) + ":" + text.strip()[0].lower()):
                    tell("cld2", code_of(code), text)


def from_whatlanggo(folder):
    with open(os.path.join(folder, "testdata", "examples.json"), encoding="utf-8") as f:
        for code, text in json.load(f).items():
            tell("whatlanggo", MACRO.get(code, code), text)


def messages(path):
    text = open(path, encoding="utf-8").read().split("\n\n", 1)[1]
    for entry in re.findall(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', text, re.M):
        message = "".join(ast.literal_eval(line) for line in entry.splitlines())
        yield re.sub(r"%\(\w+\)\w|%\w|<[^>]*>|\{[^}]*\}|&\w+;|https?:\S+", " ", message)


def from_django(folder):
    for locale in sorted(glob.glob(os.path.join(folder, "django", "conf", "locale", "*", ""))):
        name = os.path.basename(locale.rstrip("/"))
        text = ""
        for path in sorted(glob.glob(f"{folder}/django/**/locale/{name}/LC_MESSAGES/*.po", recursive=True)):
            # The names of languages are in themselves, or nearly so.
            text += " ".join(m for m in messages(path) if len(m.split()) > 3 or len(m) > 30) + " "
        text = " ".join(text.split())
        for i in range(0, min(len(text) - 599, 12000), 600):
            tell("django", code_of(name), text[i : i + 600])


def from_spacy(folder):
    for path in sorted(glob.glob(os.path.join(folder, "spacy", "lang", "*", "examples.py"))):
        spec = importlib.util.spec_from_file_location("examples", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for sentence in module.sentences:
            tell("spacy", code_of(os.path.basename(os.path.dirname(path))), sentence)


cld2, django, spacy, whatlanggo = sys.argv[1:5]
from_cld2(cld2)
from_whatlanggo(whatlanggo)
from_django(django)
from_spacy(spacy)
