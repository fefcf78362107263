package extract

import (
	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

// formatOf tells the format of the current record. Archives do not mix formats,
// so that of compressed records is looked up once for each; a plain record has
// just been parsed and is asked itself.
func (x *extractor) formatOf(a *archive, plain bool) (warc.Format, error) {
	if !plain && a.format != warc.UnknownFormat {
		return a.format, nil
	}
	head, err := look(&x.fetcher, x.random.Head)
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
		if head, err := look(&x.fetcher, x.random.Head); err == nil && !head.Date().IsZero() {
			h.Date = head.Date()
		}
	}
	return h, nil
}

// verify compares the record with the list and with what it says of itself, as
// far as the user asked for it.
func (x *extractor) verify(e *entry) error {
	if x.Verify == "none" {
		return nil
	}
	head, err := look(&x.fetcher, x.random.Head)
	if err != nil {
		return faultf("record header: %v", detail(err))
	}
	if original := e.original(); len(original) > 0 {
		err = AgreeOriginal(original, HeadOf(head))
	} else {
		err = Agree(&e.capture, HeadOf(head))
	}
	if err != nil || x.Verify == "url" {
		return err
	}
	return x.verifyDigest(&e.capture)
}
