package extract

import (
	"bytes"
	"fmt"
	"io"

	"archivestream/lib/warc"
)

// placed is where a record was found to lie and how.
type placed struct {
	length int64 // in the file, in bytes, blank lines behind a plain record included
	plain  bool  // not compressed
	// closing is what its copy needs after it, so that another record can follow
	closing string
	misled  bool // a plain record that is not as long as its header says
}

// gzipMagic is how a gzip member that is deflated begins (RFC 1952, section 2.3.1).
var gzipMagic = []byte{0x1f, 0x8b, 8}

// A fault is why a capture's record cannot be extracted.
type fault struct{ reason string }

func (f *fault) Error() string { return f.reason }

func faultf(format string, args ...any) error { return &fault{fmt.Sprintf(format, args...)} }

// checkBounds compares a capture with the length of its archive file.
func checkBounds(it *item, size int64) error {
	if it.offset >= size {
		return faultf("offset past the end: the archive file is %d bytes long", size)
	}
	if it.length >= 0 && it.offset+it.length > size {
		return faultf("length past the end: the archive file is %d bytes long and ends %d bytes before the record does", size, it.offset+it.length-size)
	}
	return nil
}

// locate checks that a record of the stated length lies at the offset. Members
// are judged by what begins at, behind and in between their two ends, without
// inflating anything; only where that leaves a doubt is the member inflated.
func (f *fetcher) locate(it *item, record, behind []byte) (placed, error) {
	if !bytes.HasPrefix(record, gzipMagic) {
		return f.locatePlain(it)
	}
	sound := len(behind) == 0 || bytes.HasPrefix(behind, gzipMagic)
	if sound && f.current.held && !hidesMember(record) {
		return placed{length: it.length}, nil
	}
	length, err := look(f, f.random.MemberLength)
	switch {
	case err != nil:
		return placed{}, faultf("damaged gzip member: %v", detail(err))
	case length > it.length:
		return placed{}, faultf("record longer than said: %d bytes, not %d", length, it.length)
	case length < it.length:
		return placed{}, faultf("record shorter than said: %d bytes, not %d", length, it.length)
	}
	return placed{length: length}, nil
}

// hidesMember says whether what may be the header of a further gzip member
// stands in a record's bytes, so that the record may be shorter than said.
func hidesMember(record []byte) bool {
	for p := record[1:]; ; {
		i := bytes.Index(p, gzipMagic)
		if i < 0 || len(p) < i+10 {
			return false
		}
		// Flags: three bits are reserved. Extra flags: 0, 2 or 4. Operating
		// system: 0 to 13 or 255 (RFC 1952, section 2.3.1).
		flags, extra, system := p[i+3], p[i+8], p[i+9]
		if flags&0xe0 == 0 && (extra == 0 || extra == 2 || extra == 4) && (system <= 13 || system == 255) {
			return true
		}
		p = p[i+1:]
	}
}

// locatePlain finds the end of a record that is not compressed: its header says
// where that is. Where the list says something else, or nothing, the header may be
// wrong, and the record is looked for as an indexer does (warc.Reader).
func (f *fetcher) locatePlain(it *item) (placed, error) {
	at, err := look(f, f.random.PlainExtent)
	// Indexers count the blank lines behind a record or leave them out.
	if err == nil && it.length >= 0 && (it.length == at.Length || it.length == at.Length-at.Blank) {
		return placed{length: at.Length, plain: true, closing: at.Missing}, nil
	}
	a := f.current.archive
	found, other := warc.RecordAt(a.file, a.file.Size(), it.offset)
	if other == nil && found.IsMisled() && (it.length < 0 || it.length == found.Length || it.length == found.Length-found.Ending) {
		return placed{length: found.Length, plain: true, misled: true}, nil
	}
	switch {
	case err != nil:
		return placed{}, faultf("neither a gzip member nor a record at that offset: %v", detail(err))
	case it.length < 0:
		return placed{length: at.Length, plain: true, closing: at.Missing}, nil
	case it.length < at.Length:
		return placed{}, faultf("record longer than said: %d bytes, not %d", at.Length-at.Blank, it.length)
	default:
		return placed{}, faultf("record shorter than said: %d bytes, not %d", at.Length-at.Blank, it.length)
	}
}

// detail leaves out of a defect what the reject's input line says already.
func detail(err error) string {
	if d, ok := err.(*warc.Defect); ok {
		return string(d.Kind) + ": " + d.Detail
	}
	if err == io.ErrUnexpectedEOF {
		return "the file ends within it"
	}
	return err.Error()
}
