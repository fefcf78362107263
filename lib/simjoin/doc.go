// Package simjoin finds all pairs of documents of which one covers the other, exactly:
// a set similarity join with any number of content and metadata constraints
// (lib/coverage), in memory that is bounded whatever the collection is.
//
// # Stages
//
//	shingle-documents  document lines to sets of shingles, with the attributes that
//	                   the expression needs; counts how frequent shingles are
//	group-sets         one record for all documents with the same set; sorted by size
//	                   and cut into blocks
//	order-sets         the shingles of each set in the global order, rare ones first
//	plan-join          which blocks have to be compared with each other
//	join-sets          one block indexed in memory, others streamed past it: edges
//	list-edges         each edge once
//
// A task of join-sets holds one block and its index (by default 64 MiB of sets and
// about as much again), and of each other block one set at a time. r blocks make at
// most r(r+1)/2 comparisons, fewer where sizes or keys rule one out, in tasks of about
// the same length. So no shingle, however frequent, has a list that one reducer would
// have to hold or work through alone: the blocks cut every list.
//
// # The order of shingles
//
// Each shingle is a number of 64 bits, of which the first 18 choose one of 2^18
// counters of how many documents have it. The order is by count, then by counter, then
// by the remaining bits: a shingle is rewritten as the rank of its counter (18 bits)
// and its other 46 bits, which loses nothing, and from then on the order is that of
// numbers. The filters are exact under any order; a good one only saves work, so that
// a table of 1 MiB does in place of all frequencies.
//
// # The filters
//
// Of two sets x and y, |x| <= |y|, lib/coverage says how many shingles M(|x|, |y|) they
// must at least have in common. If the first one that they have in common stands at
// position i of x and j of y (from 0), no more than min(|x|-i, |y|-j) are: so the
// shingles of x up to position |x| - M(|x|, |x|) are indexed, those of y up to
// |y| - M(s, |y|), s the least size of a partner, are looked up, and a pair is
// compared if min(|x|-i, |y|-j) >= M(|x|, |y|). For Jaccard this is the positional
// filter of PPJoin (Xiao et al., WWW 2008); for containment x probes with a prefix and
// y with everything. A pair that passes, and whose metadata allow one direction, is
// compared shingle by shingle.
//
// # Format of a block: NAME.sets
//
// "archivestream sets 1\n", one byte with the words per shingle (1 or 2), and
// records, numbers little-endian:
//
//	uint32    number of shingles, n
//	uint32    number of documents that have this set
//	uint32    bytes of these documents' description, d
//	uint64    key (lib/coverage)
//	16 bytes  digest of the set
//	d bytes   of each document its id (escaped as a field) and its attributes in the
//	          order of the expression: uvarint length, bytes
//	8n or 16n shingles, ascending once they are in the global order
//
// Records are sorted by the key's first 16 bits, size, digest. counts is 2^18 uint32.
// blocks.tsv has a line for each block: name, least and greatest of the key's first 16
// bits, least and greatest size, sets, shingles, documents.
package simjoin
