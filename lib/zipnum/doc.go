// Package zipnum writes and reads ZipNum clusters: sorted CDXJ or CDX lines in
// compressed blocks that can be searched without inflating the rest. The
// Wayback Machine, pywb and Common Crawl's index use the format.
//
// # A cluster
//
// A cluster is a folder of three kinds of files. All lines are sorted by their
// bytes, as LC_ALL=C sort does it, over all shards in the order of their names.
//
//   - cdx-NNNNN.gz, a shard: gzip members, the blocks, of 3,000 lines each (the
//     last one of a shard has fewer). Each block ends in a line feed. A block of
//     very long lines ends earlier, at 8 MiB of text. The members' headers hold
//     no time and no name: equal lines make equal bytes.
//   - cluster.idx, one line for each block, in five fields separated by tabs:
//     the key and timestamp of the block's first line with one space between
//     them, the shard's name, the offset and the length of the member in bytes,
//     and the block's number, counted from 1 through all shards. Others' indexes
//     may lack the number. A key is cut before a control character.
//   - cluster.loc, one line for each shard: its name and then one path or URI or
//     several, separated by tabs. A path without a scheme is relative to the
//     folder of cluster.loc. pywb needs this file; Open takes the shards beside
//     cluster.idx where it is missing, as in Common Crawl's public indexes.
//
// A cluster can be somebody else's: shards that its index or cluster.loc place outside of
// its folder, at ../x, a full path, another server or behind a link that leads out of it,
// are not read unless Options allow it. Where cluster.loc has several places for a shard,
// those inside are enough.
//
// The shard's name in Common Crawl's clusters, and in those that are written
// here, is that of its file. pywb takes any name that cluster.loc has.
//
// # Writing
//
// Tasks write shards, each with index lines of its own whose numbers begin
// at 1 (Writer). MergeIndexes makes cluster.idx and cluster.loc of them.
//
// # Searching
//
// The lines of one key can begin in the block before the first one whose index
// line has that key, and index lines of several blocks can be equal: Open's
// Cluster begins one block earlier than the first that could lie behind the
// begin of a range.
package zipnum
