"""Pairs of documents with Jaccard >= THRESHOLD, as other people's libraries find them.

Usage: redundancy_peers.py PEER DOCUMENTS THRESHOLD > PAIRS

Reads JSON Lines, takes shingles of five words, and prints the pairs of ids, the
lesser first. Peers: gaoya, rensa, datasketch (all approximate: MinHash with banding)
and SetSimilaritySearch (exact: AllPairs).
"""

import json
import re
import sys

WORD = re.compile(r"\w+")


def documents(path):
    with open(path) as lines:
        for line in lines:
            d = json.loads(line)
            yield d["id"], d["text"]


def shingles(text, size=5):
    words = WORD.findall(text.lower())
    if len(words) < size:
        return {" ".join(words)} if words else set()
    return {" ".join(words[i : i + size]) for i in range(len(words) - size + 1)}


def gaoya(path, threshold):
    import gaoya.minhash

    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32, jaccard_threshold=threshold, num_bands=16, band_size=8,
        analyzer="word", lowercase=True, ngram_range=(5, 5), id_container="vec")
    ids, texts = zip(*documents(path))
    index.par_bulk_insert_docs(list(range(len(ids))), list(texts))
    for i, found in enumerate(index.par_bulk_query(list(texts))):
        for j in found:
            if j > i:
                yield ids[i], ids[j]


def rensa(path, threshold):
    import rensa

    ids, hashes = [], []
    index = rensa.RMinHashLSH(threshold=threshold, num_perm=128, num_bands=16)
    for key, (name, text) in enumerate(documents(path)):
        m = rensa.RMinHash(num_perm=128, seed=1)
        m.update(list(shingles(text)))
        ids.append(name)
        hashes.append(m)
        index.insert(key, m)
    for i, m in enumerate(hashes):
        for j in index.query(m):
            if j > i and m.jaccard(hashes[j]) >= threshold:
                yield ids[i], ids[j]


def datasketch(path, threshold):
    import datasketch

    index = datasketch.MinHashLSH(threshold=threshold, num_perm=128)
    hashes = {}
    for name, text in documents(path):
        m = datasketch.MinHash(num_perm=128)
        m.update_batch([s.encode() for s in shingles(text)])
        hashes[name] = m
        index.insert(name, m)
    for name, m in hashes.items():
        for other in index.query(m):
            if other > name:
                yield name, other


def exact(path, threshold):
    import SetSimilaritySearch

    ids, sets = [], []
    for name, text in documents(path):
        ids.append(name)
        sets.append({hash(s) for s in shingles(text)})
    for i, j, _ in SetSimilaritySearch.all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=threshold):
        yield ids[i], ids[j]


PEERS = {"gaoya": gaoya, "rensa": rensa, "datasketch": datasketch, "SetSimilaritySearch": exact}

if __name__ == "__main__":
    for first, second in PEERS[sys.argv[1]](sys.argv[2], float(sys.argv[3])):
        print(min(first, second) + "\t" + max(first, second))
