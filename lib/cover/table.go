package cover

import (
	"bufio"
	"fmt"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// A table is a side file FOLDER/part-NNNNN of a task, made with its first line.
type table struct {
	task   *stage.Task
	folder string
	file   storage.Writer
	w      *bufio.Writer
}

func (t *table) put(fields ...[]byte) error {
	if t.w == nil {
		f, err := t.task.Create(fmt.Sprintf("%s/part-%05d", t.folder, t.task.Partition()))
		if err != nil {
			return err
		}
		t.file, t.w = f, bufio.NewWriterSize(f, 256<<10)
	}
	for i, f := range fields {
		if i > 0 {
			t.w.WriteByte('\t')
		}
		t.w.Write(f)
	}
	return t.w.WriteByte('\n')
}

func (t *table) close() error {
	if t.w == nil {
		return nil
	}
	if err := t.w.Flush(); err != nil {
		return err
	}
	return t.file.Close()
}
