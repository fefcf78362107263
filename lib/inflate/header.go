package inflate

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const headerSize = 10 // without optional fields

// Flags of a gzip header, RFC 1952, section 2.3.1.
const (
	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagsReserved = 0xe0
)

// longestString is the size of a name or comment with its NUL, in bytes, up to
// which the standard library takes it.
const longestString = 512

// HeaderLength gives the length of the gzip header that src begins with, in bytes.
// The error is ErrHeader, or io.ErrUnexpectedEOF where src ends before it does.
func HeaderLength(src []byte) (int, error) { return header(src) }

// header gives the length of the gzip header that src begins with.
func header(src []byte) (int, error) {
	if len(src) < headerSize {
		return 0, io.ErrUnexpectedEOF
	}
	flags := src[3]
	if src[0] != 0x1f || src[1] != 0x8b || src[2] != 8 || flags&flagsReserved != 0 {
		return 0, ErrHeader
	}
	n := headerSize
	if flags&flagExtra != 0 {
		if len(src) < n+2 {
			return 0, io.ErrUnexpectedEOF
		}
		n += 2 + int(binary.LittleEndian.Uint16(src[n:]))
		if len(src) < n {
			return 0, io.ErrUnexpectedEOF
		}
	}
	for _, flag := range [...]byte{flagName, flagComment} {
		if flags&flag == 0 {
			continue
		}
		size := bytes.IndexByte(src[n:min(n+longestString, len(src))], 0)
		switch {
		case size >= 0:
			n += size + 1
		case len(src) < n+longestString:
			return 0, io.ErrUnexpectedEOF
		default:
			return 0, ErrHeader
		}
	}
	if flags&flagHeaderCRC != 0 {
		if len(src) < n+2 {
			return 0, io.ErrUnexpectedEOF
		}
		if binary.LittleEndian.Uint16(src[n:]) != uint16(crc32.ChecksumIEEE(src[:n])) {
			return 0, ErrHeader
		}
		n += 2
	}
	return n, nil
}
