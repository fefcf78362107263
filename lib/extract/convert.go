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
	if x.converter == nil {
		x.converter = warc.NewConverter()
	}
	return x.withRecord(func(record *warc.Record) error {
		kind := warc.FileKind{Format: format}
		converted, err := x.converter.Convert(record, kind)
		if err != nil {
			return err
		}
		if e.place, err = x.out.CopyRawFrom(kind, converted, converted.Size(), ""); err != nil {
			return machineError{err}
		}
		x.task.Count("converted", 1)
		if x.WithRequests && record.Type == warc.Response {
			x.task.Count("requests not found", 1) // ARC has none
		}
		return nil
	})
}

// A machineError is one that no record is to blame for.
type machineError struct{ error }

// withRecord uses the current record. Where its header may be wrong about its length
// it is used again as an indexer finds it.
func (x *extractor) withRecord(use func(*warc.Record) error) error {
	record, err := look(&x.fetcher, x.random.ReadAt)
	isBegun := err == nil
	if isBegun {
		err = use(record)
	}
	if d := (*warc.Defect)(nil); errors.As(err, &d) {
		c := &x.current
		if found, other := warc.RecordAt(c.archive.file, c.archive.file.Size(), c.offset); other == nil && !found.Damaged() {
			isBegun, err = true, use(found)
		}
	}
	var m machineError
	var f *fault
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.As(err, &m):
		return m.error
	case !isBegun:
		return faultf("record header: %v", detail(err))
	}
	return damage(err)
}

// verifyDigest compares the record's data with the digests that it declares and
// with the list's.
func (x *extractor) verifyDigest(c *cdx.Capture) error {
	return x.withRecord(func(record *warc.Record) error {
		mismatches, err := warc.Verify(record, string(c.Digest))
		if err != nil {
			return err
		}
		return DigestMismatch(mismatches)
	})
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
