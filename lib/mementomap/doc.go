// Package mementomap makes, compacts, merges and searches profiles of web archives:
// what an archive holds, in one small file (Alam, Weigle, Nelson, Melo, Bicho,
// Gomes: MementoMap Framework for Flexible and Adaptive Web Archive Profiling,
// JCDL 2019).
//
// # A map
//
// A map is a text file in the format UKVS (Unified Key Value Store), sorted by its
// bytes as LC_ALL=C sort does it. Lines that begin with "!" are headers and come
// first:
//
//	!context ["https://git.io/mementomap"]
//	!fields {keys: ["surt"], values: ["frequency"]}
//	!id {uri: "https://archive.example/"}
//	!meta {name: "An archive", year: 1996}
//	com,* 10000+
//	org,arxiv) 100
//	org,arxiv)/* 2500~/900
//	org,arxiv)/pdf/* 0
//	uk,co,bbc)/images/* 300+/20-
//
// A data line has the columns that !fields names, separated by single spaces: here
// KEY FREQUENCY, and perhaps a JSON object behind. A frequency is [URI-M][/[URI-R]],
// the number of captures and that of different URIs, each with a mark behind it if
// it is not exact: + lower bound, - upper bound, ~ estimate. A frequency of zero is
// an exclusion. Several key columns are read and written (Reader, Writer), but a map
// that is compacted or searched has one.
//
// A key is a SURT (package surt) without query and fragment, of a host or a path; of
// a host's root it has no slash behind the ")", as the public Python tool writes it
// (both forms are read). CountCaptures cuts queries, fragments and slashes at the end
// from the keys of other maps and adds their frequencies up, since no lookup looks for
// them; compaction, which cannot reorder lines, refuses a map that has such a key. A key
// covers itself alone. A wildcard covers more:
//
//   - everything
//     com,example,*         the host com,example with its paths, and all hosts below
//     com,example)/*        the host's root and all its paths
//     com,example)/a/*      com,example)/a and all paths below
//
// The most specific key that covers a URI tells of it. Because of that a last
// segment that is a star itself is written %2a, and a key's first byte "!" %21;
// no SURT has these escapes.
//
// Every capture of an index counts, whatever its status and media type, unless a
// condition leaves it out.
//
// # Compaction
//
// The keys of a map are a tree: below a TLD (one label) are registered domains (two
// labels) and so on, below each host its root, and below that segments of paths.
// A node's children are the different names one level deeper that have a capture:
// hosts below a host, segments below a root or path. A node with more children than
// the cut-off for its depth,
//
//	weight × mean number of children at that depth,
//
// is rolled up: one line, its wildcard, takes the place of the node's own line and of
// all lines below it, with the sum of their frequencies. Of nested nodes the topmost
// is seen. Weights are apart for hosts and paths; means are measured (Measure), given
// or those of a fitted power law (Curve). TLDs are never rolled up, unless they are
// named, nor are nodes deeper than the means reach.
//
// Sums keep what is known: one with an estimate in it is an estimate, one with a
// lower bound a lower bound, with an upper bound an upper bound, with both an
// estimate; what has no number makes the sum of the others a lower bound.
//
// Lines stay as they are, outside of the tree and no child of any node, if they are
// exclusions, which are more specific than the wildcard around them; or if their key
// lies below an exclusion's wildcard, behind it in the map; or if it has no host, or one with a byte that no host name has and that would tear the tree
// apart: ")", "*" or "+". A wildcard in the input is a line of its node, but no child;
// its node has been rolled up already, and lines below it stay unless the node is
// rolled up again, or they are absorbed by option.
//
// # One pass
//
// A Compactor holds one state for each node from the TLD to the last key. Children
// only become more, so that a node's fate is known as soon as its cut-off is
// exceeded: its lines are taken back then, and further ones only added up. Lines of
// nodes whose fate is open wait: in memory up to 4 MiB, from there on in a temporary
// file. There is no seeking in input or output.
//
// Byte order is not the order of the tree. All keys below a node stand together,
// since they begin with its key and a separator; but between a/b and a/b/x there can
// be a/b!, a/b-c and a/b.html, whose next bytes sort before the slash. The state of
// a/b is kept aside then (keys in between begin with it, so that there are never
// more such states than bytes in a key), and its own line waits with the others: it
// is one child, and folded in when the node is rolled up. Hosts need no such care: the
// bytes between ")" and "," are in no host of the tree. Exclusions can sort before
// the wildcard that is made around them (a/!x before a/*), for which its place is
// noted.
//
// # What is promised
//
//   - Every key of the input is covered by a key of its map (recall 1); the sum of
//     frequencies is the same; lines are sorted. Nothing is promised of a map that
//     contradicts itself: with an exclusion's wildcard behind keys that it covers
//     (the node's own, a host's own paths, names that sort before the star), which
//     it excludes once these are rolled up. jobs/mementomap.sh leaves such keys out
//     if the exclusions are given to it (--blocked).
//   - Chaining: a compacted map that is compacted again with cut-offs that are
//     nowhere larger gives the map that these give directly, since nodes that stay
//     have as many children as before. That holds for equal curves: means that are
//     measured are to be measured once, in the whole; for equal lists of kept and
//     rolled hosts; and for a weight that is larger than before nothing is promised.
//   - Cut anywhere between two registered domains and compacted part by part, a map
//     is the same bytes: no node above them is rolled up. With TLDs that are rolled
//     up by name, cut between TLDs there.
//   - Lines of equal keys, of several maps, are added up. The same URIs can be in
//     both: URI-R becomes an upper bound.
package mementomap
