package warc

import "fmt"

// A DefectKind names a class of fault in an archive file.
type DefectKind string

// The faults that the reader tells apart.
const (
	Truncated     DefectKind = "truncated"      // the file or the member ends inside the record
	BadMember     DefectKind = "bad-member"     // a gzip member that cannot be inflated
	BadChecksum   DefectKind = "bad-checksum"   // CRC-32 or size at a member's end do not fit
	Garbage       DefectKind = "garbage"        // bytes that belong to no record
	BadHeader     DefectKind = "bad-header"     // a record header that cannot be understood
	BadLength     DefectKind = "bad-length"     // Content-Length or ARC length is wrong
	MissingEnding DefectKind = "missing-ending" // the blank lines behind a record are not there
)

// A Defect is a fault at a place of an archive file. The reader goes on behind
// it; Lost tells whether a record could not be read because of it.
type Defect struct {
	File   string // as given to the reader; may be empty
	Offset int64  // of the fault's record, member or first byte
	Length int64  // bytes of the file that it makes unreadable, 0 if none, -1 if not known
	Kind   DefectKind
	Detail string
	Lost   bool // a record, or what must have been one, is lost
}

// IsHarmless reports whether all records are read as they are in spite of the defect.
func (d *Defect) IsHarmless() bool { return d.Kind == MissingEnding && !d.Lost }

// Error says what is wrong and where: "FILE: offset N: KIND: DETAIL".
func (d *Defect) Error() string {
	file := d.File
	if file == "" {
		file = "archive"
	}
	return fmt.Sprintf("%s: offset %d: %s: %s", file, d.Offset, d.Kind, d.Detail)
}
