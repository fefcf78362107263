package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// An Entry is one line of a cluster's index: where a block lies.
type Entry struct {
	Key      []byte // key and timestamp of the block's first line, with a space between
	Shard    []byte // name of the shard
	Offset   int64  // of the gzip member in the shard, in bytes
	Length   int64  // of the gzip member, in bytes
	Sequence int64  // number of the block, from 1; 0 where the index has none
}

// Errors of a line that is no index line.
var (
	errFewFields = errors.New("not a line of a ZipNum index: fewer than 4 fields")
	errNoShard   = errors.New("not a line of a ZipNum index: the shard has no name")
	errNumber    = errors.New("not a line of a ZipNum index: not a number of bytes")
	errSequence  = errors.New("not a line of a ZipNum index: not a block's number")
)

// ParseEntry takes an index line apart. The entry's slices point into the line.
// Spaces and carriage returns at its end, and fields behind the fifth, are
// ignored as pywb does.
func ParseEntry(line []byte) (Entry, error) {
	var e Entry
	var fields [4][]byte
	rest := bytes.TrimRight(line, " \r\n\t")
	for i := range fields[:3] {
		field, after, ok := bytes.Cut(rest, []byte{'\t'})
		if !ok {
			return e, errFewFields
		}
		fields[i], rest = field, after
	}
	sequence := []byte(nil)
	fields[3], rest, _ = bytes.Cut(rest, []byte{'\t'})
	sequence, _, _ = bytes.Cut(rest, []byte{'\t'})
	if len(fields[1]) == 0 {
		return e, errNoShard
	}
	offset, ok := number(fields[2])
	if !ok {
		return e, errNumber
	}
	length, ok := number(fields[3])
	if !ok || length > math.MaxInt64-offset {
		return e, errNumber
	}
	if len(sequence) > 0 {
		if e.Sequence, ok = number(sequence); !ok {
			return Entry{}, errSequence
		}
	}
	e.Key, e.Shard, e.Offset, e.Length = fields[0], fields[1], offset, length
	return e, nil
}

// number reads a decimal without a sign.
func number(digits []byte) (int64, bool) {
	if len(digits) == 0 || len(digits) > 19 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0') // 19 digits fit into 64 bits without a sign
	}
	return int64(n), n <= math.MaxInt64
}

// Append appends the entry's index line without a line feed.
func (e Entry) Append(dst []byte) []byte {
	dst = append(dst, e.Key...)
	dst = append(dst, '\t')
	dst = append(dst, e.Shard...)
	for _, n := range [...]int64{e.Offset, e.Length, e.Sequence} {
		dst = append(dst, '\t')
		dst = strconv.AppendInt(dst, n, 10)
	}
	return dst
}

// blockKey is what an index has of a block's first line, and what of an index line
// tells of it: key and timestamp, which end where a control character does not
// belong. Cut there, the keys of sorted lines are sorted too, since nothing that
// ends a key is above what stands in one.
func blockKey(line []byte) []byte {
	spaces := 0
	for i, c := range line {
		if c == ' ' {
			spaces++
		}
		if c < ' ' || spaces == 2 {
			return line[:i]
		}
	}
	return line
}

// ShardName is the name of a cluster's shard by its number, from 0.
func ShardName(n int) string { return fmt.Sprintf("cdx-%05d.gz", n) }
