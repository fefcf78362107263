package inputs

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// A WrongKind is the error of a file that is not of the kinds that are expected.
type WrongKind struct {
	Expected Kind
	Found    Sample
}

func (e *WrongKind) Error() string { return fmt.Sprintf("expected %v, found %v", e.Expected, e.Found) }

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
