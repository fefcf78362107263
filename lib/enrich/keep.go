package enrich

import (
	"archivestream/lib/extract"
)

// planLines is the form of saving that makes a plan again, of the captures that are
// kept: for stages that copy records or index lines.
const planLines = "plan"

// A planWriter makes lines of a plan.
type planWriter struct{ line extract.PlanLine }

// append appends the line of a capture. Its place is that of the capture itself, also
// where the values come from another record. It gives the size of the record, in
// bytes.
func (p *planWriter) append(o *output, r *Record, j *job) int64 {
	c := &r.capture
	p.line.Archive, p.line.Offset, p.line.Length = c.Filename, c.Offset, c.Length
	p.line.Form, p.line.Line = j.form, j.line
	o.bytes = append(p.line.Append(o.bytes), '\n')
	return p.line.Size()
}
