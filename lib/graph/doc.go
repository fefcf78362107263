// Package graph finds the connected components of graphs that are given as
// edges, one a line: with union-find in one task where the vertices fit into
// memory, and in few rounds of MapReduce where they do not.
//
// # Edges, vertices
//
// A line of an edge has two fields or more, separated by tabs: the ids of its
// ends, escaped as lib/stage says and not empty; what stands behind them is not
// looked at. Its direction does not count, nor that it is there repeatedly or
// leads from a vertex to itself. A line of a vertex has the id in its first field.
//
// # Order of ids
//
// An id that is a number in decimal digits, without leading zeros and of at most
// 60 digits, comes before every other id; numbers are compared as numbers, other
// ids byte by byte in their escaped form. The label of a component is the
// greatest of its ids.
//
// # Keys
//
// Between stages an id is written as its key: the id behind one byte, which for a
// number is the digit 0 moved on by the number of digits ("1" to "l"), and "~" for
// any other id. The bytes of keys sort as the ids do.
//
// # Rounds
//
// Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii: Connected Components in
// MapReduce and Beyond (SoCC 2014), with the order turned round, as the greatest
// id is wanted. Each round is one MapReduce job over the edges that the round
// before has left:
//
//   - SpanForest, the mapper, replaces the edges that it reads by stars: each
//     vertex with the greatest that the mapper's own part of the graph connects
//     it to. It holds a bounded number of vertices at once.
//   - LinkStars, the reducer, sees a vertex u with its neighbours, the greatest
//     first. A large star links every neighbour that is smaller than u to the
//     greatest of u and its neighbours; a small star links u and every greater
//     neighbour to the greatest of them.
//
// Large and small stars take turns, beginning with a large one. The graph is
// finished when every vertex that has a greater neighbour has exactly one, and no
// smaller one: then each edge leads to the label. A large star sees that by
// itself and counts the vertices for which it does not hold ("unfinished").
//
// An edge of a round is a line KEY TAB KEY, the greater one last; a vertex without
// edges is one to itself.
//
// # Labels
//
// A line KEY TAB TAB KEY, of a vertex and its component's label. The empty field
// tells it from an edge.
//
// # Sizes
//
// Lines SIZE TAB NUMBER: how many components have that many vertices.
package graph
