package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"archivestream/lib/storage"
)

// A WrongKind is the error of a file that is not of the kinds that are expected.
type WrongKind struct {
	Expected Kind
	Found    Sample
}

func (e *WrongKind) Error() string { return fmt.Sprintf("expected %v, found %v", e.Expected, e.Found) }

// Is makes the error one that another attempt would meet too (storage.Lasting).
func (e *WrongKind) Is(target error) bool { return target == fs.ErrInvalid }

// OpenArchive opens an archive file. The error is a *WrongKind where it is something
// else: all of its bytes would be taken for damage then.
func OpenArchive(name string) (storage.Reader, error) {
	f, err := storage.Open(name)
	if err != nil {
		return nil, err
	}
	var wrong *WrongKind
	if _, err := Check(name, f, f.Size(), Archives); errors.As(err, &wrong) {
		return nil, errors.Join(wrong, f.Close())
	}
	return f, nil // the reader of the archive meets other errors again
}

// Foreign are the kinds that no stage reads as lines.
const Foreign = ARC | WARC | Zstandard | Bzip2 | XZ | Zip | Parquet | PDF | HTML | Image

// ForeignLine reports whether a stream whose first line this is holds no lines, and what
// it holds.
func ForeignLine(line []byte) (string, bool) {
	if bytes.HasPrefix(line, []byte{0x1f, 0x8b}) {
		return "gzip", true
	}
	s := Of(line[:min(len(line), SampleSize)], true)
	return s.String(), s.sure && s.kind&Foreign != 0
}

// Archives are the kinds of archive files.
const Archives = ARC | WARC

// Check returns a *WrongKind where a file of that name is not of the kinds. Any other
// error is of reading it. An archive file whose start is damaged is known by its name
// alone: how much of it can be read is told record by record.
func Check(name string, r io.ReaderAt, size int64, kinds Kind) (Sample, error) {
	s, err := Read(r, size)
	if err != nil {
		return s, err
	}
	return s, s.Check(name, kinds)
}

// Check returns a *WrongKind where the sample of a file of that name is not of the kinds.
func (s Sample) Check(name string, kinds Kind) error {
	if s.Fits(kinds) || kinds&Archives != 0 && (!s.sure || s.kind&(Binary|Damaged) != 0) && s.kind&(Text|Edges|Binary|Damaged) != 0 && hasArchiveName(name) {
		return nil
	}
	return &WrongKind{kinds, s}
}

// hasArchiveName reports whether a name is one of an archive file, as x.warc.gz,
// x.arc or x.warc.gz.open.
func hasArchiveName(name string) bool {
	name = strings.ToLower(path.Base(name))
	for _, suffix := range []string{".open", ".gz"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".arc") || strings.HasSuffix(name, ".wat") || strings.HasSuffix(name, ".wet")
}
