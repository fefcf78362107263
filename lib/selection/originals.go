package selection

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
	"archivestream/lib/where"
	"archivestream/lib/zipnum"
)

// OriginalOptions say where originals are looked for, and by what.
type OriginalOptions struct {
	Indexes []string // sorted ones, to be searched for the URL of each revisit
	Wanted  string   // a plan, or several: only what its revisits need matters
	// By is "" or digest: by the payload's digest; read: lines of the plan get what
	// the headers of unresolved revisits say of their originals; reference: by that.
	By string
}

// FindOriginals is the mapper that puts revisits beside the captures that may have
// their payload. Its input is the lines of a plan and index lines, in any order.
// With indexes it reads a plan and gives the place of the earliest original of the
// same URL itself; its output is a plan then. The archives are needed to read
// headers, and may be nil without.
func FindOriginals(t *stage.Task, archives *extract.Archives, o OriginalOptions) error {
	f := &originalFinder{task: t}
	switch o.By {
	case "", "digest", "read", "reference":
	default:
		return stage.Usage("--by %q: expected digest, read or reference", o.By)
	}
	if archives != nil {
		f.heads = extract.NewHeadReader(t, archives)
	} else if o.By == "read" || o.By == "reference" {
		return stage.Usage("--by %s reads records: --archives or --path-index is missing", o.By)
	}
	if len(o.Indexes) > 0 {
		return f.search(o.Indexes)
	}
	take, index := f.selected, f.indexed
	f.wants = wantsDigest
	switch o.By {
	case "read":
		return f.readReferences()
	case "reference":
		take, index, f.wants = f.refers, f.referred, wantsReferred
		if o.Wanted == "" {
			return stage.Usage("--by reference needs --wanted")
		}
	}
	if o.Wanted != "" {
		var err error
		if f.wanted, err = wantedHashes(o.Wanted, f.wants); err != nil {
			return err
		}
	}
	parser, err := cdx.NewParser(t)
	if err != nil {
		return err
	}
	if t.InputFile() != "" && !t.IsMade() {
		t.Again() // what selects has read the index
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if bytes.Count(line, tab) == planTabs && f.plan.Parse(line) == nil {
			err = take(line)
		} else if parser.Parse(line, &f.capture) == nil { // what is malformed has been rejected
			err = index(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type originalFinder struct {
	task    *stage.Task
	heads   *extract.HeadReader // nil without archives
	wants   func(dst []byte, p *extract.PlanLine, c *cdx.Capture) []byte
	wanted  map[uint64]bool // hashes of what wants makes of the plan's lines; nil: all
	plan    extract.PlanLine
	capture cdx.Capture
	record  where.Capture
	line    []byte
	place   []byte
	group   []byte
}

// wantsDigest appends the digest that the original of a revisit has; nothing of a line
// that needs none, or whose digest says nothing: that of an answer without a body.
func wantsDigest(dst []byte, _ *extract.PlanLine, c *cdx.Capture) []byte {
	if !IsRevisit(c) || warc.IsDigestOfNothing(c.Digest) {
		return dst
	}
	return warc.AppendDigestKey(dst, c.Digest)
}

// selected emits a line of the plan.
func (f *originalFinder) selected(line []byte) error {
	c := &f.capture
	if err := f.plan.Form.Parse(f.plan.Line, c); err != nil {
		return f.task.Reject("malformed line: "+err.Error(), f.plan.Line)
	}
	if f.group = wantsDigest(f.group[:0], &f.plan, c); len(f.group) == 0 {
		if IsRevisit(c) {
			f.task.Count(unresolved, 1)
		}
		return f.pass(line)
	}
	f.task.Count("revisits", 1)
	f.record.SetCapture(c)
	return f.emit(f.record.Key(), '1', line)
}

// unresolved counts the revisits whose original has not been found.
const unresolved = "without an original"

// pass emits a line of the plan that needs nothing.
func (f *originalFinder) pass(line []byte) error {
	f.line = append(stage.AppendEscaped(append(f.line[:0], '='), f.plan.Archive), "\t\t\t\t"...)
	f.line = stage.AppendEscaped(f.line, line)
	return f.task.Write(f.line)
}

// indexed emits an index line's place, as one that has the payload of its digest.
func (f *originalFinder) indexed(line []byte) error {
	c := &f.capture
	if IsRevisit(c) || !extract.InRange(c) {
		return nil
	}
	if f.group = warc.AppendDigestKey(f.group[:0], c.Digest); len(f.group) == 0 || !f.isWanted(f.group) {
		return nil
	}
	f.setPlace(line)
	if err := f.emit(nil, '0', f.place); err != nil {
		return err
	}
	f.record.SetCapture(c)
	return f.emit(f.record.Key(), '0', f.place)
}

func (f *originalFinder) isWanted(group []byte) bool {
	return f.wanted == nil || f.wanted[hashOf(group)]
}

// setPlace makes the line of a plan of the capture.
func (f *originalFinder) setPlace(line []byte) {
	c := &f.capture
	plan := extract.PlanLine{Archive: c.Filename, Offset: c.Offset, Length: c.Length, Form: c.Form, Line: line}
	f.place = plan.Append(f.place[:0])
}

func (f *originalFinder) emit(key []byte, kind byte, plan []byte) error {
	f.line = append(stage.AppendEscaped(f.line[:0], f.group), '\t')
	f.line = append(stage.AppendEscaped(f.line, key), '\t', kind, '\t')
	f.line = append(appendTimestamp(f.line, f.capture.Timestamp, false), '\t')
	return f.task.Write(stage.AppendEscaped(f.line, plan))
}

// maxWanted is how many hashes are kept in memory; with more of them none is left
// out.
const maxWanted = 2 << 20

// wantedHashes reads what the revisits of a plan need.
func wantedHashes(plans string, wants func([]byte, *extract.PlanLine, *cdx.Capture) []byte) (map[uint64]bool, error) {
	files, err := storage.Expand(plans)
	if err != nil {
		return nil, err
	}
	wanted := map[uint64]bool{}
	for _, file := range files {
		if err := addWanted(wanted, file.Path, wants); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		if len(wanted) > maxWanted {
			return nil, nil
		}
	}
	return wanted, nil
}

func addWanted(wanted map[uint64]bool, name string, wants func([]byte, *extract.PlanLine, *cdx.Capture) []byte) error {
	r, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer r.Close()
	var p extract.PlanLine
	var c cdx.Capture
	var text []byte
	for line, err := range lines.All(r, 0) {
		if err != nil {
			return err
		}
		if p.Parse(line) != nil || p.Form.Parse(p.Line, &c) != nil {
			continue
		}
		if text = wants(text[:0], &p, &c); len(text) > 0 {
			wanted[hashOf(text)] = true
		}
		if len(wanted) > maxWanted {
			return nil
		}
	}
	return nil
}

func hashOf(text []byte) uint64 {
	h := fnv.New64a()
	h.Write(text)
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
	return f.change(func() (bool, error) {
		found, err := f.searchFor(all)
		f.task.Count("resolved-bytes", f.plan.Size())
		return found, err
	})
}

// searchFor gives the plan the place of the original of its revisit, and reports whether
// it has found one.
func (f *originalFinder) searchFor(all []index) (found bool, err error) {
	if f.group = wantsDigest(f.group[:0], &f.plan, &f.capture); len(f.group) == 0 {
		if IsRevisit(&f.capture) {
			f.task.Count("undigested", 1)
		}
		return false, nil
	}
	f.record.SetCapture(&f.capture)
	if found, err = f.lookUp(all); err != nil {
		return false, err
	}
	if found {
		f.task.Count("resolved", 1)
	} else {
		f.task.Count("unresolved", 1)
	}
	return found, nil
}

// change reads a plan and writes it with what visit has changed in f.plan; visit reports
// whether it has.
func (f *originalFinder) change(visit func() (bool, error)) error {
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
		changed, err := visit()
		if err != nil {
			return err
		}
		if changed {
			f.line = f.plan.Append(f.line[:0])
			line = f.line
		}
		if err := f.task.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// lookUp sets the plan's place to that of the original.
func (f *originalFinder) lookUp(all []index) (found bool, err error) {
	key := string(f.record.Key())
	var c cdx.Capture
	var best, digest []byte
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
			if elsewhere := (*zipnum.ElsewhereError)(nil); errors.As(err, &elsewhere) {
				return false, zipnum.Hint(err)
			}
			if err != nil {
				break // the search that selected the captures has told it
			}
			if parser.Parse(line, &c) != nil || IsRevisit(&c) || !extract.InRange(&c) {
				continue
			}
			if digest = warc.AppendDigestKey(digest[:0], c.Digest); !bytes.Equal(digest, f.group) {
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
	return true, moveTo(&f.plan, &place, &c)
}
