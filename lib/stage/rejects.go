package stage

import (
	"bufio"
	"fmt"
	"io"

	"archivestream/lib/storage"
)

// rejects is where a task's rejected records go. The file is made with the
// first of them: a task without any leaves none.
type rejects struct {
	task *Task
	file storage.Writer
	w    *bufio.Writer
	line []byte
}

// Reject leaves a record out: it is counted, written to the rejects with the
// reason and the input, and never stops the rest.
func (t *Task) Reject(reason string, input []byte) error {
	r := t.reject
	if r.w == nil {
		if err := r.open(); err != nil {
			return fmt.Errorf("rejects: %w", err)
		}
	}
	t.Count("rejected", 1)
	r.line = append(r.line[:0], t.name...)
	r.line = append(r.line, '\t')
	r.line = AppendEscaped(r.line, []byte(reason))
	r.line = append(r.line, '\t')
	r.line = AppendEscaped(r.line, input)
	r.line = append(r.line, '\n')
	_, err := r.w.Write(r.line)
	return err
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
	if r.w == nil {
		return nil
	}
	err := r.w.Flush()
	if r.file == nil {
		return err
	}
	if err != nil || !done {
		r.file.Abort()
		return err
	}
	return r.file.Close()
}
