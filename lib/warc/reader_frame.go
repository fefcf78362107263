package warc

import (
	"encoding/binary"

	"archivestream/lib/inflate"
)

// A GzipFrame is what stands around the data of a gzip member (RFC 1952).
type GzipFrame struct {
	Header []byte // as it stands in the file, with its optional fields
	CRC    uint32 // of the data
	Size   uint32 // of the data, in bytes modulo 2^32
}

// A frame is what is kept of a member that lies in the window.
type frame struct {
	header []byte
	footer [footerSize]byte
}

const footerSize = 8

// take keeps header and footer of a sound member.
func (f *frame) take(member []byte) {
	n, err := inflate.HeaderLength(member)
	if err != nil || len(member) < n+footerSize {
		return
	}
	f.header = append(f.header, member[:n]...)
	copy(f.footer[:], member[len(member)-footerSize:])
}

// longestHeader is how much of a member is read for its header, in bytes.
const longestHeader = 2 << 10

// GzipFrame gives what stands around the gzip member that the record given out last
// lies in; valid until the next one. ok is false for a record that is not compressed,
// and as long as its length is not known.
func (r *Reader) GzipFrame() (f GzipFrame, ok bool) {
	record, m := &r.record, &r.member
	if record.Compression == Plain || record.Length < footerSize {
		return f, false
	}
	if len(m.frame.header) == 0 {
		if !r.readFrame(record) {
			return f, false
		}
	}
	f.Header = m.frame.header
	f.CRC = binary.LittleEndian.Uint32(m.frame.footer[:])
	f.Size = binary.LittleEndian.Uint32(m.frame.footer[4:])
	return f, true
}

// readFrame reads header and footer of a member that was inflated piece by piece.
func (r *Reader) readFrame(record *Record) bool {
	begin := make([]byte, min(longestHeader, record.Length))
	if _, err := r.file.ReadAt(begin, record.Offset); err != nil {
		return false
	}
	n, err := inflate.HeaderLength(begin)
	if err != nil {
		return false
	}
	footer := &r.member.frame.footer
	if _, err := r.file.ReadAt(footer[:], record.Offset+record.Length-footerSize); err != nil {
		return false
	}
	r.member.frame.header = append(r.member.frame.header[:0], begin[:n]...)
	return true
}
