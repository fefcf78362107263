"""What cdxj-indexer and pywb's cdx-indexer make of archive files.

Usage: indexers.py cdxj|cdxj-post|pywb FILE...

Prints a line FILE TAB LINE for each line of an index, and FILE TAB "!" ERROR where
an indexer stops within a file.
"""
import io
import sys


def cdxj(path, post):
    from cdxj_indexer.main import CDXJIndexer

    out = io.StringIO()
    try:
        CDXJIndexer(out, path, post_append=post).process_all()
    finally:
        yield from out.getvalue().splitlines()


def pywb(path, _):
    from pywb.indexer.cdxindexer import write_cdx_index

    out = io.BytesIO()
    with open(path, "rb") as file:
        try:
            write_cdx_index(out, file, path.rsplit("/", 1)[-1], cdxj=True)
        finally:
            yield from out.getvalue().decode("utf-8").splitlines()


def main():
    tool, _, post = sys.argv[1].partition("-")
    sys.stderr = io.StringIO()
    for path in sys.argv[2:]:
        try:
            for line in {"cdxj": cdxj, "pywb": pywb}[tool](path, post == "post"):
                sys.stdout.write(f"{path}\t{line}\n")
        except Exception as error:  # of any kind: that is what is to be told
            text = " ".join(str(error).split())
            sys.stdout.write(f"{path}\t!{type(error).__name__}: {text}\n")


main()
