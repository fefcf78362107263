"""The lines of a ZipNum cluster, read as its index says: each block by its offset and
length in its shard, which cluster.loc names."""

import gzip
import sys

folder = sys.argv[1]
paths = dict(line.rstrip("\n").split("\t")[:2] for line in open(f"{folder}/cluster.loc"))
for line in open(f"{folder}/cluster.idx"):
    if line.startswith("!"):
        continue
    key, shard, offset, length = line.rstrip("\n").split("\t")[:4]
    path = paths[shard]
    with open(path if path.startswith("/") else f"{folder}/{path}", "rb") as f:
        f.seek(int(offset))
        block = gzip.decompress(f.read(int(length))).decode()
    if not block.startswith(key):
        sys.exit(f"the block of {key} begins with {block[:80]}")
    sys.stdout.write(block)
