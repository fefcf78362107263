package extract

import (
	"bytes"
	"fmt"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// A PlanLine is what a line of a plan in archive order says, for stages that choose
// captures themselves. The archive and the place need not be the capture's own: the
// payload of a revisit lies in another record.
type PlanLine struct {
	Archive []byte   // file name as the list has it
	Offset  int64    // in bytes
	Length  int64    // compressed, in bytes; -1 where it is not known
	Form    cdx.Form // of Line
	Line    []byte   // of the list
	// Original says which capture the payload of a revisit is that of, another one
	// than the line's: 14 digits of its timestamp, or as long as that is not known
	// id: and the WARC-Record-ID; a space; its URL. Empty where nothing is known. The
	// place is that of its record once it has been found.
	Original []byte

	memory []byte
}

// noPosition stands for the position of a line in its list where the order of the
// list does not matter.
const noPosition = "-"

// Append appends the line of the plan without its line feed. Sorted as a whole by
// their bytes such lines are in archive order, whatever list they come from.
func (p *PlanLine) Append(dst []byte) []byte {
	dst = append(stage.AppendEscaped(dst, p.Archive), '\t')
	dst = append(appendPadded(dst, p.Offset, offsetDigits), '\t')
	if len(p.Original) > 0 {
		dst = append(stage.AppendEscaped(dst, p.Original), '\t')
	} else {
		dst = append(dst, noPosition+"\t"...)
	}
	dst = appendLength(dst, p.Length)
	dst = append(append(dst, p.Form...), '\t')
	return stage.AppendEscaped(dst, p.Line)
}

// Parse takes a line of a plan apart. The slices point into the line, or into
// memory that the next Parse uses again.
func (p *PlanLine) Parse(line []byte) error {
	var it item
	if err := it.parse(line, ByArchive); err != nil {
		return err
	}
	p.memory = p.memory[:0]
	var err error
	if p.Original = nil; bytes.IndexByte(it.position, ' ') >= 0 {
		if p.Original, err = p.plain(it.position); err != nil {
			return fmt.Errorf("%w: %v", errPlan, err)
		}
	}
	if p.Archive, err = p.plain(it.archive); err != nil {
		return fmt.Errorf("%w: %v", errPlan, err)
	}
	if p.Line, err = p.plain(it.line); err != nil {
		return fmt.Errorf("%w: %v", errPlan, err)
	}
	p.Offset, p.Length, p.Form = it.offset, it.length, it.form
	return nil
}

// plain gives a field as it was before it was escaped.
func (p *PlanLine) plain(field []byte) ([]byte, error) {
	if bytes.IndexByte(field, '\\') < 0 {
		return field, nil
	}
	begin := len(p.memory)
	var err error
	p.memory, err = stage.AppendUnescaped(p.memory, field)
	return p.memory[begin:len(p.memory):len(p.memory)], err
}

// Size is the record's length, or what stands for it where it is not known, in bytes.
func (p *PlanLine) Size() int64 { return (&item{length: p.Length}).size() }

// InRange says whether a capture has a place that a plan can hold.
func InRange(c *cdx.Capture) bool {
	return c.Offset <= maxOffset && c.Length <= maxOffset && c.Length != 0
}

// A Fetched is the record of a plan's line, as it lies in its archive. All of it is
// valid until the visit ends.
type Fetched struct {
	Line    []byte       // of the list
	Capture *cdx.Capture // what it says
	Name    string       // of the file that the record lies in, as the plan has it
	Archive string       // path or URI of it
	Offset  int64        // there, in bytes
	Length  int64        // of the gzip member or plain record, in bytes
	Bytes   []byte       // all of the record; nil for a large one, which File has
	// Original is PlanLine.Original where the record is that of another capture.
	Original []byte
	File     storage.Reader
	Err      error // why there is no record; the rest but Line may be missing then
}

// Fetch reads the records of a plan in archive order and calls visit for each line,
// in their order. Records that lie close together are fetched with one read. Without
// archives (nil) nothing is read, and visit gets what the plan says of the records.
// The error is that of visit or of reading the plan; what is wrong with one record
// is its Err.
func Fetch(t *stage.Task, archives *Archives, visit func(*Fetched) error) error {
	f := newFetcher(archives)
	c := &chunk{}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if c.add(line); !c.full() {
			continue
		}
		if err := f.visit(c, visit); err != nil {
			return err
		}
		c.clear()
	}
	return f.visit(c, visit)
}

// visit fetches the records of a chunk.
func (f *fetcher) visit(c *chunk, visit func(*Fetched) error) error {
	for rest := c.entries; len(rest) > 0; {
		n := 1
		var a *archive
		err := error(nil)
		if rest[0].fault == nil && f.archives != nil {
			n, a, err = f.fetch(rest)
		}
		for i := range rest[:n] {
			if err := visit(f.fetched(&rest[i], a, err)); err != nil {
				return err
			}
		}
		rest = rest[n:]
	}
	return nil
}

// original returns PlanLine.Original of an entry whose record is that of another
// capture than the line's.
func (e *entry) original() []byte {
	if bytes.IndexByte(e.position, ' ') < 0 || e.isOwn() {
		return nil
	}
	text, err := stage.AppendUnescaped(nil, e.position)
	if err != nil {
		return nil // no line that stages make; held against the line itself it fails
	}
	return text
}

// isOwn reports whether the place is that of the line.
func (e *entry) isOwn() bool {
	if e.offset != e.capture.Offset {
		return false
	}
	name, err := stage.AppendUnescaped(nil, e.archive)
	return err == nil && bytes.Equal(name, e.capture.Filename)
}

// fetched says what became of an entry.
func (f *fetcher) fetched(e *entry, a *archive, err error) *Fetched {
	r := &f.told
	*r = Fetched{Line: e.text, Capture: &e.capture, Offset: e.offset, Length: e.length, Original: e.original(), Err: err}
	if e.fault != nil {
		r.Err = e.fault
		return r
	}
	if a == nil {
		var name []byte
		name, r.Err = stage.AppendUnescaped(nil, e.archive)
		r.Name = string(name)
		return r
	}
	r.Name, r.Archive = a.name, a.path
	if r.Err == nil {
		r.Err = checkBounds(&e.item, a.file.Size())
	}
	if r.Err != nil {
		return r
	}
	r.File = a.file
	r.Bytes, _, _ = f.batch.record(e.offset, e.length)
	return r
}
