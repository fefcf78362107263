package selection

import (
	"bytes"
	"fmt"
	"hash/fnv"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/where"
)

// OriginalOptions say where originals are looked for.
type OriginalOptions struct {
	Indexes []string // sorted ones, to be searched for the URL of each revisit
	Wanted  string   // a plan, or several: only digests of its revisits matter
}

// FindOriginals is the mapper that puts revisits beside the captures that may have
// their payload. Its input is the lines of a plan and index lines, in any order.
// With indexes it reads a plan and gives the place of the earliest original of the
// same URL itself; its output is a plan then.
func FindOriginals(t *stage.Task, o OriginalOptions) error {
	f := &originalFinder{task: t}
	if len(o.Indexes) > 0 {
		return f.search(o.Indexes)
	}
	if o.Wanted != "" {
		var err error
		if f.wanted, err = wantedDigests(o.Wanted); err != nil {
			return err
		}
	}
	parser, err := extract.NewParser(t)
	if err != nil {
		return err
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if bytes.Count(line, tab) == planTabs && f.plan.Parse(line) == nil {
			err = f.selected(line)
		} else if parser.Parse(line, &f.capture) == nil { // what is malformed has been rejected
			err = f.indexed(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type originalFinder struct {
	task    *stage.Task
	wanted  map[uint64]bool // hashes of digests; nil: all
	plan    extract.PlanLine
	capture cdx.Capture
	record  where.Capture
	line    []byte
	place   []byte
}

// digestOf gives a capture's digest without a label.
func digestOf(c *cdx.Capture) []byte { return bytes.TrimPrefix(c.Digest, []byte("sha1:")) }

// selected emits a line of the plan.
func (f *originalFinder) selected(line []byte) error {
	c := &f.capture
	if err := f.plan.Form.Parse(f.plan.Line, c); err != nil {
		return f.task.Reject("malformed line: "+err.Error(), f.plan.Line)
	}
	if !IsRevisit(c) || len(c.Digest) == 0 {
		f.line = append(stage.AppendEscaped(append(f.line[:0], '='), f.plan.Archive), "\t\t\t\t"...)
		f.line = stage.AppendEscaped(f.line, line)
		return f.task.Write(f.line)
	}
	f.task.Count("revisits", 1)
	f.record.SetCapture(c)
	return f.emit(f.record.Key(), '1', line)
}

// indexed emits an index line's place, as one that has the payload of its digest.
func (f *originalFinder) indexed(line []byte) error {
	c := &f.capture
	if IsRevisit(c) || len(c.Digest) == 0 || !extract.InRange(c) || f.wanted != nil && !f.wanted[hashOf(digestOf(c))] {
		return nil
	}
	plan := extract.PlanLine{Archive: c.Filename, Offset: c.Offset, Length: c.Length, Form: c.Form, Line: line}
	f.place = plan.Append(f.place[:0])
	if err := f.emit(nil, '0', f.place); err != nil {
		return err
	}
	f.record.SetCapture(c)
	return f.emit(f.record.Key(), '0', f.place)
}

func (f *originalFinder) emit(key []byte, kind byte, plan []byte) error {
	f.line = append(stage.AppendEscaped(f.line[:0], digestOf(&f.capture)), '\t')
	f.line = append(stage.AppendEscaped(f.line, key), '\t', kind, '\t')
	f.line = append(appendTimestamp(f.line, f.capture.Timestamp, false), '\t')
	return f.task.Write(stage.AppendEscaped(f.line, plan))
}

// maxWanted is how many digests are kept in memory; with more of them none is left
// out.
const maxWanted = 2 << 20

// wantedDigests reads the digests of a plan's revisits.
func wantedDigests(plans string) (map[uint64]bool, error) {
	files, err := storage.Expand(plans)
	if err != nil {
		return nil, err
	}
	wanted := map[uint64]bool{}
	var p extract.PlanLine
	var c cdx.Capture
	for _, file := range files {
		r, err := storage.OpenStream(file.Path)
		if err != nil {
			return nil, err
		}
		for line, err := range lines.All(r, 0) {
			if err != nil {
				r.Close()
				return nil, fmt.Errorf("%s: %w", file.Path, err)
			}
			if p.Parse(line) == nil && p.Form.Parse(p.Line, &c) == nil && IsRevisit(&c) {
				wanted[hashOf(digestOf(&c))] = true
			}
			if len(wanted) > maxWanted {
				r.Close()
				return nil, nil
			}
		}
		r.Close()
	}
	return wanted, nil
}

func hashOf(digest []byte) uint64 {
	h := fnv.New64a()
	h.Write(digest)
	return h.Sum64()
}

// search gives revisits of a plan the place of the earliest original of their URL,
// looked up in sorted indexes. The others stay, counted as unresolved.
func (f *originalFinder) search(indexes []string) error {
	lookup := filter{FilterOptions: FilterOptions{Indexes: indexes, Form: Plan}, task: f.task}
	all, err := lookup.openAll([]where.Range{{From: "\x00", To: "\x01"}}, false) // narrower than all, so that they are opened for a search
	defer closeAll(all)
	if err != nil {
		return err
	}
	for line, err := range f.task.Lines() {
		if err != nil {
			return err
		}
		if err := f.plan.Parse(line); err != nil {
			return err
		}
		if err := f.plan.Form.Parse(f.plan.Line, &f.capture); err != nil {
			return err
		}
		if IsRevisit(&f.capture) && len(f.capture.Digest) > 0 {
			f.record.SetCapture(&f.capture)
			found, err := f.lookUp(all)
			if err != nil {
				return err
			}
			if !found {
				f.task.Count("unresolved", 1)
			} else {
				f.task.Count("resolved", 1)
				f.line = f.plan.Append(f.line[:0])
				line = f.line
			}
		}
		f.task.Count("resolved-bytes", f.plan.Size())
		if err := f.task.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// lookUp sets the plan's place to that of the original.
func (f *originalFinder) lookUp(all []index) (found bool, err error) {
	key := string(f.record.Key())
	digest := bytes.Clone(digestOf(&f.capture))
	var c cdx.Capture
	var best []byte
	for i := range all {
		x := &all[i]
		if x.cluster == nil {
			continue
		}
		parser := cdx.Parser{}
		if form, ok := cdx.Header(x.header); ok {
			parser.Header = form
		}
		for line, err := range x.cluster.Lines(key+" ", key+"!") {
			if err != nil {
				break // the search that selected the captures has told it
			}
			if parser.Parse(line, &c) != nil || IsRevisit(&c) || !extract.InRange(&c) || !bytes.Equal(digestOf(&c), digest) {
				continue
			}
			place := extract.PlanLine{Archive: c.Filename, Offset: c.Offset, Length: c.Length, Form: c.Form, Line: line}
			order := place.Append(append(appendTimestamp(nil, c.Timestamp, false), '\t'))
			if best == nil || bytes.Compare(order, best) < 0 {
				best = order
			}
		}
	}
	if best == nil {
		return false, nil
	}
	var place extract.PlanLine
	if err := place.Parse(best[timestampDigits+1:]); err != nil {
		return false, err
	}
	f.plan.Archive, f.plan.Offset, f.plan.Length = place.Archive, place.Offset, place.Length
	return true, nil
}

// ResolveRevisits is the reducer that gives revisits the place of their original.
// Its input is lines of FindOriginals, sorted as a whole; it makes lines of a plan.
func ResolveRevisits(t *stage.Task) error {
	var fields [][]byte
	var digest, key, anyURL, sameURL, text, line []byte
	var own, place extract.PlanLine
	for input, err := range t.Lines() {
		if err != nil {
			return err
		}
		fields = stage.Fields(fields, bytes.TrimRight(input, "\t"), 0)
		if len(fields) != 5 {
			return fmt.Errorf("not a line of find-originals: %q", input)
		}
		if text, err = stage.AppendUnescaped(text[:0], fields[4]); err != nil {
			return fmt.Errorf("not a line of find-originals: %w", err)
		}
		if !bytes.Equal(fields[0], digest) {
			digest, anyURL, sameURL = append(digest[:0], fields[0]...), anyURL[:0], sameURL[:0]
		}
		if !bytes.Equal(fields[1], key) {
			key, sameURL = append(key[:0], fields[1]...), sameURL[:0]
		}
		if string(fields[2]) == "0" {
			if len(fields[1]) == 0 && len(anyURL) == 0 {
				anyURL = append(anyURL, text...)
			} else if len(sameURL) == 0 {
				sameURL = append(sameURL, text...)
			}
			continue
		}
		original := sameURL
		if len(original) == 0 {
			original = anyURL
		}
		if string(fields[2]) == "1" && len(original) > 0 {
			if err := own.Parse(text); err != nil {
				return err
			}
			if err := place.Parse(original); err != nil {
				return err
			}
			own.Archive, own.Offset, own.Length = place.Archive, place.Offset, place.Length
			line = own.Append(line[:0])
			t.Count("resolved", 1)
		} else {
			line = append(line[:0], text...)
			if string(fields[2]) == "1" {
				t.Count("without an original", 1)
			}
		}
		if err := t.Write(line); err != nil {
			return err
		}
	}
	return nil
}
