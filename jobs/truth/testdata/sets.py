"""The folder sets/ of redundancy.sh, read as lib/simjoin says, held against shingles that
are tuples: what represents a shingle is the same wherever it is, and another one for
another shingle."""

import random
import struct

import numpy


def text(data):
    return data.decode().replace("\\t", "\t").replace("\\n", "\n").replace("\\\\", "\\")


def varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return n, at


class Record:
    """A set of shingles and the documents that have it."""

    def __init__(self, data, at, words):
        n, members, described = struct.unpack_from("<III", data, at)
        (self.key,) = struct.unpack_from("<Q", data, at + 12)
        self.digest = data[at + 20 : at + 36]
        self.size, self.fields = n, []
        at += 36
        end = at + described
        while at < end:
            length, at = varint(data, at)
            self.fields.append(data[at : at + length])
            at += length
        values = len(self.fields) // members
        self.ids = [text(f) for f in self.fields[::values]]
        self.shingles = numpy.frombuffer(data, "<u8", n * words, end).reshape(n, words)
        self.end = end + 8 * n * words

    def ascends(self):
        words = self.shingles.astype(object) if self.shingles.shape[1] > 1 else None
        one = self.shingles[:, 0] if words is None else words[:, 0] * 2**64 + words[:, 1]
        return bool((one[1:] > one[:-1]).all())


def records(path, say, name):
    with open(path, "rb") as f:
        data = f.read()
    head = b"archivestream sets 1\n"
    say("sets head", f"- {name}", data[: len(head)].decode("latin-1"), head.decode())
    at = len(head) + 1
    while at < len(data):
        r = Record(data, at, data[len(head)])
        at = r.end
        yield r


def met_by(shingles, owners):
    """For each shingle the sum of its documents' numbers, which tells which they are."""
    _, place = numpy.unique(shingles, axis=0, return_inverse=True)
    sums = numpy.zeros(place.max() + 1, numpy.uint64)
    numpy.add.at(sums, place.ravel(), owners)
    return sorted(sums.tolist())


def check_sets(run, documents, say):
    folder, name = run["output"] + "/sets", run["name"]
    about = f"terms\t1\nshingle-size\t{run['size']}\nhash-bits\t{run['bits']}\ncover\t{run['cover']}\n"
    say("sets about", f"- {name}", open(folder + "/about.tsv").read(), about)
    drawn, found, frequency = random.Random(name), {}, numpy.zeros(1 << 18, numpy.int64)
    of = {d.id: (drawn.getrandbits(64), d.sets[run["size"]]) for d in documents}
    ours, theirs = [], []
    for line in open(folder + "/blocks.tsv"):
        block, *numbers = line.rstrip("\n").split("\t")
        all = list(records(f"{folder}/{block}", say, name))
        groups, sizes = [r.key >> 48 for r in all], [r.size for r in all]
        want = [min(groups), max(groups), min(sizes), max(sizes), len(all), sum(sizes), sum(len(r.ids) for r in all)]
        say("sets blocks", f"- {name} {block}", numbers, list(map(str, want)))
        say("sets order", f"- {name} {block}", all == sorted(all, key=lambda r: (r.key >> 48, r.size, r.digest)), True)
        for r in all:
            say("sets shingles in order", f"- {name} {r.ids[0]}", r.ascends(), True)
            numpy.add.at(frequency, r.shingles[:, 0] >> numpy.uint64(46), len(r.ids))
            for id in r.ids:
                found.setdefault(id, []).append(r.size)
            owner = sum(of[id][0] for id in r.ids) % 2**64
            # Shingles of one key meet, those of others never do.
            keys = numpy.full((r.size, 1), r.key, numpy.uint64)
            ours.append((numpy.hstack([keys, r.shingles]), numpy.full(r.size, owner, numpy.uint64)))
            set = numpy.fromiter(of[r.ids[0]][1], numpy.uint64)[:, None]
            theirs.append((numpy.hstack([keys[:1].repeat(len(set), 0), set]), numpy.full(len(set), owner, numpy.uint64)))
            for id in r.ids:
                say("sets of equal documents", f"- {name} {id}", of[id][1] == of[r.ids[0]][1], True)
    for d in documents:
        n = len(of[d.id][1])
        say("sets of a document", f"{d.place()} {name}", found.get(d.id, []), [n] if n else [])
    sums = [met_by(*(numpy.concatenate(x) for x in zip(*side))) for side in (ours, theirs)]
    say("sets", f"- {name}", sums[0] == sums[1], True)
    counts = numpy.fromfile(folder + "/counts", "<u4")
    if not run["earlier"]:
        say("sets counts", f"- {name}", sorted(counts[counts > 0].tolist()), frequency[frequency > 0].tolist())
