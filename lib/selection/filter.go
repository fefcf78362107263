package selection

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strconv"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/ranges"
	"archivestream/lib/stage"
	"archivestream/lib/where"
)

// A Form is what filter-captures makes of a capture.
type Form string

// The forms.
const (
	Plan Form = "plan" // a line of an extraction plan (lib/extract)
	CDXJ Form = "cdxj" // an index line
	CDX  Form = "cdx"  // one of CDX with 11 fields
)

// FilterOptions say which captures are taken, and what is made of them.
type FilterOptions struct {
	Where    string  // condition; "": all captures
	Sample   float64 // share of them that is taken, over 0 to 1
	Seed     string  // of the sample: another one takes others
	Form     Form
	Pick     Pick     // "": what PickCaptures does not need
	Per      string   // url, host, domain or an expression
	Indexes  []string // to be searched instead of reading lines
	MaxBytes int64    // of the indexes that are read at most; 0: any
}

// Filter is the mapper that takes the index lines for which a condition is true,
// out of its input or out of indexes that it searches. A line that is no capture is
// rejected.
func Filter(t *stage.Task, o FilterOptions) error {
	f, err := newFilter(t, o)
	if err != nil {
		return err
	}
	if len(o.Indexes) > 0 {
		err = f.indexes()
	} else {
		err = f.input()
	}
	f.count()
	return err
}

// A filter is the state of one task.
type filter struct {
	FilterOptions
	task    *stage.Task
	where   *where.Expression // nil: all
	sampler ranges.Sampler
	keys    *keyMaker // nil: no pick
	list    string    // that the lines are of, for rejects

	capture cdx.Capture
	record  where.Capture
	plan    extract.PlanLine
	line    []byte
	hashed  []byte

	read, taken, size, revisits int64
}

func newFilter(t *stage.Task, o FilterOptions) (*filter, error) {
	f := &filter{FilterOptions: o, task: t, list: path.Base(t.InputFile())}
	if t.InputFile() == "" {
		f.list = "standard input"
	}
	switch o.Form {
	case Plan, CDXJ, CDX:
	default:
		return nil, stage.Usage("--form %q: plan, cdxj or cdx is wanted", o.Form)
	}
	if !(o.Sample > 0 && o.Sample <= 1) {
		return nil, stage.Usage("--sample %v: a share over 0 and up to 1 is wanted", o.Sample)
	}
	f.sampler = ranges.NewSampler(o.Sample)
	var err error
	if o.Where != "" {
		if f.where, err = where.CompileCondition(o.Where, &where.Captures); err != nil {
			return nil, stage.Usage("--where: %v", err)
		}
	}
	if o.Pick != "" {
		if o.Form != Plan {
			return nil, stage.Usage("--pick makes lines for pick-captures: --form %s does not go with it", o.Form)
		}
		f.keys, err = newKeyMaker(o.Pick, o.Per)
	}
	return f, err
}

// planTabs is how many tabs a line of a plan has; one of an index has none, or three.
const planTabs = 5

var tab = []byte{'\t'}

// input filters the task's lines.
func (f *filter) input() error {
	parser, err := cdx.NewParser(f.task)
	if err != nil {
		return err
	}
	for line, err := range f.task.Lines() {
		if err != nil {
			return err
		}
		if err := f.take(parser, line); err != nil {
			return err
		}
	}
	return nil
}

// take filters one line.
func (f *filter) take(parser *cdx.Parser, line []byte) error {
	var err error
	if bytes.Count(line, tab) == planTabs && f.plan.Parse(line) == nil {
		line = f.plan.Line
		err = f.plan.Form.Parse(line, &f.capture)
	} else {
		err = parser.Parse(line, &f.capture)
	}
	switch {
	case errors.Is(err, cdx.ErrNoCapture):
		return nil
	case err == nil && !extract.InRange(&f.capture):
		err = errors.New("offset or length out of range")
	}
	if err != nil {
		return f.task.Reject(fmt.Sprintf("malformed line of %s: %v", f.list, err), line)
	}
	f.read++
	f.record.SetCapture(&f.capture)
	if f.where != nil {
		ok, err := f.where.Match(&f.record)
		if err != nil {
			return f.task.Reject("--where: "+oneLine(err), line)
		}
		if !ok {
			return nil
		}
	}
	if f.Sample < 1 && !f.sampler.Picks(f.identity()) {
		return nil
	}
	return f.give(bytes.TrimSuffix(line, []byte("\r")))
}

// oneLine gives the first line of an error, without the place in the expression.
func oneLine(err error) string {
	first, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return string(first)
}

// identity is what a sample is drawn by: where the capture lies, whatever the form
// of its line is.
func (f *filter) identity() []byte {
	f.hashed = append(append(f.hashed[:0], f.Seed...), 0)
	f.hashed = append(append(f.hashed, f.capture.Filename...), 0)
	f.hashed = strconv.AppendInt(f.hashed, f.capture.Offset, 10)
	return f.hashed
}

// give emits a capture.
func (f *filter) give(line []byte) error {
	c := &f.capture
	if f.Form != Plan && !f.Form.layout().Holds(c.Filename) {
		return f.task.Reject(fmt.Sprintf("the name of the archive file cannot stand in %s", f.Form), line)
	}
	f.taken++
	if IsRevisit(c) {
		f.revisits++
	}
	f.line = f.line[:0]
	if f.Form != Plan {
		f.line = appendIndexLine(f.line, f.Form, &f.record, c, line)
		return f.task.Write(f.line)
	}
	if f.keys != nil {
		var err error
		if f.line, err = f.keys.append(f.line, &f.record, c); err != nil {
			return f.task.Reject("--per: "+oneLine(err), line)
		}
	}
	plan := extract.PlanLine{Archive: c.Filename, Offset: c.Offset, Length: c.Length, Form: c.Form, Line: line}
	f.size += plan.Size()
	f.line = plan.Append(f.line)
	return f.task.Write(f.line)
}

// IsRevisit says whether a capture has the payload of another one.
func IsRevisit(c *cdx.Capture) bool { return string(c.Mime) == "warc/revisit" }

// layout is that of the lines of an index that are made anew.
func (f Form) layout() cdx.Layout {
	if f == CDX {
		return cdx.LayoutCDX11
	}
	return cdx.LayoutAll
}

// appendIndexLine appends a capture's line in the form of an index. A line that is
// CDXJ stays as it is, so that no member gets lost.
func appendIndexLine(dst []byte, form Form, record *where.Capture, c *cdx.Capture, line []byte) []byte {
	if len(c.Key) == 0 {
		c.Key = record.Key()
	}
	switch {
	case form == CDX || c.Form != cdx.FormCDXJ:
		return form.layout().Append(dst, c)
	case bytes.IndexByte(line, '\t') >= 0 && c.Length > 0:
		return c.AppendCDXJ(dst, string(c.Filename), c.Offset, c.Length)
	}
	return append(dst, line...)
}

// count tells what became of the lines.
func (f *filter) count() {
	for name, n := range map[string]int64{"captures": f.read, "selected": f.taken, "selected-bytes": f.size, "revisits": f.revisits} {
		f.task.Count(name, n)
	}
}
