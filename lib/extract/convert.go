package extract

import (
	"errors"
	"fmt"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/warc"
)

// convert takes a record over in the other format, as a gzip member whatever it
// was in its source.
func (x *extractor) convert(e *entry, format warc.Format) error {
	record, err := look(&x.fetcher, x.random.ReadAt)
	if err != nil {
		return faultf("record header: %v", detail(err))
	}
	if x.converter == nil {
		x.converter = warc.NewConverter()
	}
	kind := warc.FileKind{Format: format}
	converted, err := x.converter.Convert(record, kind)
	if err != nil {
		return damage(err)
	}
	if e.place, err = x.out.CopyRawFrom(kind, converted, converted.Size(), ""); err != nil {
		return err
	}
	x.task.Count("converted", 1)
	return nil
}

// verifyDigest compares the record's data with the digests that it declares and
// with the list's.
func (x *extractor) verifyDigest(c *cdx.Capture) error {
	record, err := look(&x.fetcher, x.random.ReadAt)
	if err != nil {
		return faultf("record header: %v", detail(err))
	}
	mismatches, err := warc.Verify(record, string(c.Digest))
	if err != nil {
		return damage(err)
	}
	return DigestMismatch(mismatches)
}

// DigestMismatch makes one error of what warc.Verify has found; nil of nothing.
func DigestMismatch(mismatches []warc.Mismatch) error {
	if len(mismatches) == 0 {
		return nil
	}
	var all []string
	for i := range mismatches {
		all = append(all, mismatches[i].Error())
	}
	return faultf("digest mismatch: %s", strings.Join(all, "; "))
}

// damage makes a fault of what is wrong with a record; errors of the machine
// (a full disk under the temporary files) stay what they are.
func damage(err error) error {
	var d *warc.Defect
	var c *warc.ConversionError
	switch {
	case errors.As(err, &d):
		return faultf("damaged record: %v", detail(d))
	case errors.As(err, &c):
		return faultf("%v", c)
	}
	return fmt.Errorf("record: %w", err)
}
