"""Connected components with scipy, and a check of a job's components against them.

    components.py scipy EDGES               finds the components; prints how many
    components.py check EDGES FILE...       checks lines "id TAB label" of all files

Ids are whole numbers. What is checked: every vertex of an edge has a label, both
ends of every edge have the same, a label is the greatest id that has it, and there
are as many components as scipy finds.
"""

import sys

import numpy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


def pairs(name):
    return numpy.fromfile(name, dtype=numpy.int64, sep=" ").reshape(-1, 2)


def count(edges):
    """The number of components with an edge."""
    n = edges.max() + 1
    ones = numpy.ones(len(edges), dtype=numpy.int8)
    graph = coo_matrix((ones, (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
    components, _ = connected_components(graph, directed=False)
    there = numpy.zeros(n, dtype=bool)
    there[edges] = True
    return components - int((~there).sum())


def check(edges, files):
    labels = numpy.full(edges.max() + 1, -1, dtype=numpy.int64)
    for name in files:
        part = pairs(name)
        if (labels[part[:, 0]] >= 0).any():
            sys.exit("%s: a vertex has two labels" % name)
        labels[part[:, 0]] = part[:, 1]
    ends = labels[edges]
    if (ends < 0).any():
        sys.exit("a vertex has no label")
    if (ends[:, 0] != ends[:, 1]).any():
        sys.exit("an edge leads from one component to another")
    vertices = numpy.flatnonzero(labels >= 0)
    if (labels[vertices] < vertices).any() or (labels[labels[vertices]] != labels[vertices]).any():
        sys.exit("a label is not the greatest id of its component")
    found, wanted = len(numpy.unique(labels[vertices])), count(edges)
    if found != wanted:
        sys.exit("%d components, scipy finds %d" % (found, wanted))
    print(len(edges))


def main():
    command, edges = sys.argv[1], pairs(sys.argv[2])
    if command == "scipy":
        print(count(edges))
    else:
        check(edges, sys.argv[3:])


main()
