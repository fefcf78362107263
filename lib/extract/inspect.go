package extract

import (
	"strings"

	"archivestream/lib/cdx"
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
func (x *extractor) verify(c *cdx.Capture) error {
	switch x.Verify {
	case "url":
		return x.verifyURL(c)
	case "digest":
		return x.verifyDigest(c)
	}
	return nil
}

func (x *extractor) verifyURL(c *cdx.Capture) error {
	head, err := look(&x.fetcher, x.random.Head)
	if err != nil {
		return faultf("record header: %v", detail(err))
	}
	listed, found := string(c.URL), head.TargetURI()
	if sameURL(listed, found) || listed == "-" && found == "" {
		return nil
	}
	return faultf("url mismatch: the record is of %s", found)
}

// sameURL allows for what indexers do to a URL when they write it down: spaces
// and control characters are escaped and fragments left out.
func sameURL(a, b string) bool { return plainURL(a) == plainURL(b) }

func plainURL(u string) string {
	u, _, _ = strings.Cut(strings.TrimSpace(u), "#")
	return strings.ReplaceAll(string(appendListed(nil, u)), " ", "%20")
}
