package stage

import (
	"bufio"
	"fmt"
	"io"
	"sort"

	"archivestream/lib/storage"
)

// The rejects that a task keeps, unless options say others: with a wrong or hostile
// input there can be a hundred times as many bytes of them as of the input.
const (
	keptRejects     = 10_000
	keptRejectBytes = 16 << 20
	// keptInput is how much of a rejected input is kept, in bytes.
	keptInput = 8 << 10
	// maxReasons is how many kinds of reasons are counted one by one.
	maxReasons = 100
)

// rejects is where a task's rejected records go. The file is made with the
// first of them: a task without any leaves none.
type rejects struct {
	task  *Task
	file  storage.Writer
	w     *bufio.Writer
	line  []byte
	lines int              // written
	bytes int              // written
	left  map[string]int64 // out, by ReasonClass
}

// Reject leaves a record out: it is counted, written to the rejects with the
// reason and the input, and never stops the rest. Of more rejects than
// --keep-rejects, or than have --keep-reject-bytes, only the reasons are counted.
func (t *Task) Reject(reason string, input []byte) error {
	if t.again {
		return nil
	}
	if what, foreign := t.partOfForeign(); foreign {
		reason = fmt.Sprintf("%s: expected lines, found a part of %s", t.inputName(), what)
		input = input[:min(len(input), foreignHead)]
	}
	t.Count("rejected", 1)
	return t.reject.add(reason, input)
}

// WarningPrefix is what the reason of a warning begins with.
const WarningPrefix = "warning: "

// Warn tells what is wrong with an input of which nothing is left out: it is counted as
// a warning, and written to the rejects with the reason behind WarningPrefix.
func (t *Task) Warn(reason string, input []byte) error {
	if t.again {
		return nil
	}
	t.Count("warnings", 1)
	return t.reject.add(WarningPrefix+reason, input)
}

// add writes a reject or a warning, or counts it where there is no room.
func (r *rejects) add(reason string, input []byte) error {
	t := r.task
	if r.lines >= t.Int("keep-rejects") || r.bytes >= t.Int("keep-reject-bytes") {
		r.leaveOut(reason)
		return nil
	}
	if len(input) > keptInput {
		reason += fmt.Sprintf(" (the first %d of %d bytes)", keptInput, len(input))
		input = input[:keptInput]
	}
	if len(reason) > keptInput {
		reason = reason[:keptInput]
	}
	r.line = append(r.line[:0], t.name...)
	r.line = append(r.line, '\t')
	r.line = AppendEscaped(r.line, []byte(reason))
	r.line = append(r.line, '\t')
	r.line = AppendEscaped(r.line, input)
	r.lines++
	r.bytes += len(r.line)
	return r.write()
}

// Again tells that another stage of the job reads the same lines: it rejects what is to
// be rejected, and this one nothing.
func (t *Task) Again() { t.again = true }

// leaveOut counts a reject that is not kept.
func (r *rejects) leaveOut(reason string) {
	if r.left == nil {
		r.left = map[string]int64{}
	}
	class := ReasonClass(reason)
	if _, known := r.left[class]; !known && len(r.left) >= maxReasons {
		class = OtherReasons
	}
	r.left[class]++
}

// OtherReasons is the class of reasons for which there was no room.
const OtherReasons = "other reasons"

// maxClass is the length of the longest class of reasons, in bytes.
const maxClass = 200

// ReasonClass returns what reasons of one kind have in common: numbers in them are N,
// what stands in quotes is left out.
func ReasonClass(reason string) string {
	class := make([]byte, 0, min(len(reason), maxClass))
	for i := 0; i < len(reason) && len(class) < maxClass; i++ {
		switch c := reason[i]; {
		case c >= '0' && c <= '9':
			for i+1 < len(reason) && reason[i+1] >= '0' && reason[i+1] <= '9' {
				i++
			}
			class = append(class, 'N')
		case c == '"':
			for i++; i < len(reason) && reason[i] != '"'; i++ {
				if reason[i] == '\\' {
					i++
				}
			}
			class = append(class, `"…"`...)
		default:
			class = append(class, c)
		}
	}
	return string(class)
}

// write writes the line.
func (r *rejects) write() error {
	if r.w == nil {
		if err := r.open(); err != nil {
			return fmt.Errorf("rejects: %w", err)
		}
	}
	r.line = append(r.line, '\n')
	_, err := r.w.Write(r.line)
	return err
}

// writeLeft writes how many rejects are not there, a line for each kind of reason.
func (r *rejects) writeLeft() error {
	classes := make([]string, 0, len(r.left))
	for class := range r.left {
		classes = append(classes, class)
	}
	sort.Strings(classes)
	for _, class := range classes {
		r.line = append(append(r.line[:0], r.task.name...), '\t')
		r.line = AppendEscaped(r.line, []byte(class))
		r.line = fmt.Appendf(r.line, "\t\t%d", r.left[class])
		if err := r.write(); err != nil {
			return err
		}
	}
	return nil
}

func (r *rejects) open() error {
	t := r.task
	var target io.Writer
	switch {
	case UnderEngine():
		kind := 'r'
		if t.IsMap() {
			kind = 'm'
		}
		name := fmt.Sprintf("_rejects/%s-%c-%05d.tsv", t.name, kind, t.Partition())
		w, err := storage.CreateDirect(storage.Join(t.OutputDir(), name))
		if err != nil {
			return err
		}
		r.file, target = w, w
	case t.String("rejects") != "":
		w, err := storage.Create(t.String("rejects"))
		if err != nil {
			return err
		}
		r.file, target = w, w
	default:
		target = t.errw
	}
	r.w = bufio.NewWriter(target)
	return nil
}

func (r *rejects) close(done bool) error {
	err := error(nil)
	if done {
		err = r.writeLeft()
	}
	if r.w == nil {
		return err
	}
	if e := r.w.Flush(); err == nil {
		err = e
	}
	if r.file == nil {
		return err
	}
	if err != nil || !done {
		r.file.Abort()
		return err
	}
	return r.file.Close()
}
