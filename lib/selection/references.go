package selection

import (
	"bytes"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/warc"
)

// referenceID is what the original of a revisit begins with that is known by the id of
// its record alone.
const referenceID = "id:"

// readReferences gives lines of a plan the original that the header of an unresolved
// revisit names (ISO 28500:2017, sections 5.8, 5.17 and 5.18): by URL and date, or by
// the id of its record.
func (f *originalFinder) readReferences() error {
	return f.change(func() (bool, error) {
		if !isUnresolved(&f.plan, &f.capture) {
			return false, nil
		}
		head, err := f.heads.Head(f.plan.Archive, f.plan.Offset)
		if err != nil {
			return false, err
		}
		if f.plan.Original = reference(head, &f.capture); len(f.plan.Original) == 0 {
			return false, nil
		}
		f.task.Count("references", 1)
		return true, nil
	})
}

// isUnresolved reports whether a line of a plan is a revisit at its own place.
func isUnresolved(p *extract.PlanLine, c *cdx.Capture) bool {
	return IsRevisit(c) && p.Offset == c.Offset && bytes.Equal(p.Archive, c.Filename)
}

// reference returns what a revisit's header says of its original, as
// extract.PlanLine.Original has it; nil where that is too little to find it. One that
// does not agree with its index line is not believed.
func reference(head *warc.Record, c *cdx.Capture) []byte {
	if head == nil || head.Type != warc.Revisit || extract.Agree(c, extract.HeadOf(head)) != nil {
		return nil
	}
	url := head.Header.URI("WARC-Refers-To-Target-URI")
	if url == "" {
		url = head.TargetURI() // where only the payload's digest may be the same, it has to be told
	}
	if date := warc.ParseDate(head.Header.Get("WARC-Refers-To-Date")); !date.IsZero() {
		return append(date.AppendFormat(nil, "20060102150405 "), url...)
	}
	id := []byte(head.Header.URI("WARC-Refers-To"))
	if len(id) == 0 || bytes.IndexByte(id, ' ') >= 0 {
		return nil
	}
	return append(append(append([]byte(referenceID), id...), ' '), url...)
}

// wantsReferred appends what an index line has that may be the original of a revisit:
// date and URL, or the URL alone.
func wantsReferred(dst []byte, p *extract.PlanLine, c *cdx.Capture) []byte {
	if len(p.Original) == 0 || !isUnresolved(p, c) {
		return dst
	}
	when, url, _ := bytes.Cut(p.Original, []byte{' '})
	if !bytes.HasPrefix(when, []byte(referenceID)) {
		dst = append(dst, when...)
	}
	return append(append(dst, ' '), extract.PlainURL(string(url))...)
}

// refers emits a line of the plan: of a revisit that names its original with that.
func (f *originalFinder) refers(line []byte) error {
	c := &f.capture
	if err := f.plan.Form.Parse(f.plan.Line, c); err != nil {
		return f.task.Reject("malformed line: "+err.Error(), f.plan.Line)
	}
	if f.group = wantsReferred(f.group[:0], &f.plan, c); len(f.group) == 0 {
		return f.pass(line)
	}
	if id, _, _ := bytes.Cut(f.plan.Original, []byte{' '}); bytes.HasPrefix(id, []byte(referenceID)) {
		f.group = append(f.group[:0], id...)
	}
	return f.emit(nil, '1', line)
}

// referred emits an index line's place for the revisits that name its date and URL, or
// the id of its record, which is read where its URL is one that is asked for.
func (f *originalFinder) referred(line []byte) error {
	c := &f.capture
	if IsRevisit(c) || !extract.InRange(c) {
		return nil
	}
	url := extract.PlainURL(string(c.URL))
	f.group = append(append(append(f.group[:0], c.Timestamp...), ' '), url...)
	if f.isWanted(f.group) {
		f.setPlace(line)
		if err := f.emit(nil, '0', f.place); err != nil {
			return err
		}
	}
	if f.group = append(append(f.group[:0], ' '), url...); !f.isWanted(f.group) {
		return nil
	}
	head, err := f.heads.Head(c.Filename, c.Offset)
	if head == nil || err != nil {
		return err
	}
	f.group = append(append(f.group[:0], referenceID...), head.Header.URI("WARC-Record-ID")...)
	f.setPlace(line)
	return f.emit(nil, '0', f.place)
}
