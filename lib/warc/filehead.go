package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"strconv"
	"time"
)

// A FileHead is what the first record of a file says about it.
type FileHead struct {
	Format   Format
	Plain    bool      // the file is not compressed
	Filename string    // of the file that the record begins
	Date     time.Time // when the file was made
	Fields   Header    // application/warc-fields of a warcinfo record; ARC has no place for them
}

// lxField is the extra field that the Internet Archive's crawlers put into the
// gzip header of an ARC file's first member: subfield LX of four bytes.
var lxField = []byte{'L', 'X', 4, 0, 0, 0, 0, 0}

// WriteTo writes the record and gives its length in the file, in bytes. Two
// heads that say the same are the same bytes: the record's id is derived from
// its content (RFC 9562, UUID version 5).
func (h *FileHead) WriteTo(w io.Writer) (int64, error) {
	record := h.warcinfo()
	if h.Format == ARC {
		record = h.filedesc()
	}
	if h.Plain {
		n, err := w.Write(record)
		return int64(n), err
	}
	var member bytes.Buffer
	z := newMemberWriter(&member)
	if h.Format == ARC {
		z.Extra = lxField
	}
	// A buffer takes everything.
	z.Write(record)
	z.Close()
	return member.WriteTo(w)
}

// filedesc is the version block of an ARC file (ARC file format, version 1.0):
// the length in its first line counts the two lines that follow it. The blank
// line ends the record, as one ends every other. Half of the Internet Archive's
// files count it as well and have none behind it, which in a plain file makes
// warcio lose the next record.
func (h *FileHead) filedesc() []byte {
	const rest = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	return fmt.Appendf(nil, "filedesc://%s 0.0.0.0 %s text/plain %d\n%s\n",
		h.Filename, h.Date.UTC().Format("20060102150405"), len(rest), rest)
}

// warcinfo is a warcinfo record (ISO 28500:2017, section 6.2).
func (h *FileHead) warcinfo() []byte {
	var block bytes.Buffer
	for _, f := range h.Fields {
		fmt.Fprintf(&block, "%s: %s\r\n", f.Name, f.Value)
	}
	digest := sha1.Sum(block.Bytes())
	var b bytes.Buffer
	fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: %s\r\n",
		contentID([]byte(h.Filename), digest[:]), h.Date.UTC().Format(time.RFC3339))
	fmt.Fprintf(&b, "WARC-Filename: %s\r\nWARC-Block-Digest: sha1:%s\r\n", h.Filename, base32.StdEncoding.EncodeToString(digest[:]))
	b.WriteString("Content-Type: application/warc-fields\r\nContent-Length: " + strconv.Itoa(block.Len()) + "\r\n\r\n")
	b.Write(block.Bytes())
	b.WriteString("\r\n\r\n")
	return b.Bytes()
}

// idSpace is the name space of the record ids that are derived from content:
// the UUID of version 5 of "archivestream" in the name space of URLs.
var idSpace = uuid5([16]byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}, []byte("archivestream"))

func uuid5(space [16]byte, parts ...[]byte) (id [16]byte) {
	hash := sha1.New()
	hash.Write(space[:])
	for _, p := range parts {
		hash.Write(p)
	}
	copy(id[:], hash.Sum(nil))
	id[6], id[8] = id[6]&0x0f|0x50, id[8]&0x3f|0x80
	return id
}

// contentID is the textual form of a UUID of version 5 derived from content.
// Each part but the last must be free of zero bytes, which separate them.
func contentID(parts ...[]byte) string {
	var name []byte
	for i, p := range parts {
		if i > 0 {
			name = append(name, 0)
		}
		name = append(name, p...)
	}
	id := uuid5(idSpace, name)
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
