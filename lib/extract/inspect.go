package extract

import (
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

// current is where the record lies that is being extracted.
type current struct {
	archive *archive
	offset  int64
}

// formatOf tells the format of the archive that a record lies in. The name is
// asked first; where it says nothing, the record's first bytes are inflated.
// A plain record has just been parsed, so it is asked itself.
func (x *extractor) formatOf(a *archive, offset int64, plain bool) (warc.Format, error) {
	if !plain && a.format != warc.UnknownFormat {
		return a.format, nil
	}
	head, err := x.random.Head(a.file, a.file.Size(), offset)
	if err != nil {
		return warc.UnknownFormat, faultf("record header: %v", detail(err))
	}
	if !plain {
		a.format = head.Format
	}
	return head.Format, nil
}

// fileHead is what the header record of a new output file says. Its date is that
// of the file's first record unless the user gave one: the same input makes the
// same bytes.
func (x *extractor) fileHead(string) (warc.FileHead, error) {
	h := warc.FileHead{
		Date: x.date,
		Fields: warc.Header{
			{Name: "software", Value: "archivestream/" + stage.Version},
			{Name: "format", Value: "WARC File Format 1.0"},
			{Name: "conformsTo", Value: "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf"},
			{Name: "description", Value: "records extracted from other archive files"},
		},
	}
	if x.Date == "" {
		a := x.current.archive
		if head, err := x.random.Head(a.file, a.file.Size(), x.current.offset); err == nil && !head.Date().IsZero() {
			h.Date = head.Date()
		}
	}
	return h, nil
}

// verify compares the record with the list and with what it says of itself, as
// far as the user asked for it.
func (x *extractor) verify(a *archive, offset int64) error {
	switch x.Verify {
	case "url":
		return x.verifyURL(a, offset)
	case "digest":
		return x.verifyDigest(a, offset)
	}
	return nil
}

func (x *extractor) verifyURL(a *archive, offset int64) error {
	head, err := x.random.Head(a.file, a.file.Size(), offset)
	if err != nil {
		return faultf("record header: %v", detail(err))
	}
	listed, found := string(x.capture.URL), head.TargetURI()
	if sameURL(listed, found) {
		return nil
	}
	return faultf("url mismatch: the record is of %s", found)
}

// sameURL allows for what indexers do to a URL when they write it down: spaces
// are escaped and fragments left out.
func sameURL(a, b string) bool { return plainURL(a) == plainURL(b) }

func plainURL(u string) string {
	u, _, _ = strings.Cut(strings.TrimSpace(u), "#")
	return strings.ReplaceAll(u, " ", "%20")
}
