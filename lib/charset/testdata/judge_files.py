"""Say in how many of chardet's own test files chardet is right.

judge_files.py FOLDER    the source of chardet, unpacked

An answer is right that has the name of the file's folder or gives the same text.
"""

import glob
import os
import sys

sys.path.insert(0, sys.argv[1])
import chardet

ENDINGS = "-arabic -bulgarian -cyrillic -greek -hebrew -hungarian -turkish".split()


def decoded(content, encoding):
    try:
        return content.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return None


right, files = 0, sorted(glob.glob(os.path.join(sys.argv[1], "tests", "*", "*.*")))
for path in files:
    want = os.path.basename(os.path.dirname(path)).lower()
    for ending in ENDINGS:
        want = want.removesuffix(ending)
    with open(path, "rb") as f:
        content = f.read()
    found = (chardet.detect(content)["encoding"] or "").lower()
    text = decoded(content, want)
    right += found == want or text is not None and decoded(content, found) == text
print(f"chardet {chardet.__version__}: {right} of {len(files)} right, {100 * right / len(files):.1f} %")
