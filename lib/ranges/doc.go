// Package ranges cuts lines that are to be sorted into ranges of about equal
// size, so that the sorted ranges, one after the other, are the sorted whole
// (sample sort; TeraSort's TotalOrderPartitioner does it on Hadoop in Java).
//
// Three stages, the same on every engine: a mapper emits a sample of the lines'
// keys; one reducer gets them sorted and cuts them into ranges; a mapper puts in
// front of each line the word by which Hadoop's KeyFieldBasedPartitioner sends
// it to the reducer of its range.
//
// # Key
//
// A line's key is all before its second space, which is SURT and timestamp of an
// index line, at most MaxKey bytes of it.
//
// # Ranges file
//
// One line for each range but the first: the key that it begins with, escaped as
// lib/stage says, sorted by bytes before it was escaped. A line belongs to the
// last range whose key is not greater than the line, byte by byte.
package ranges
