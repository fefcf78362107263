"""A program of --enrich-with: lists, objects, null, numbers and texts by the length of a text."""

import json
import sys

for line in sys.stdin:
    text = json.loads(line)
    answers = [None, [text, [len(text)], None], {"é": text, "none": None, "all": {"": []}}, text[::-1] + '\u2028🍅\0\\"\t', len(text) * 1.5, True]
    print(json.dumps(answers[len(text) % 6], ensure_ascii=len(text) % 12 < 6), flush=True)
