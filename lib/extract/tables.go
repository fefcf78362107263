package extract

import (
	"bufio"
	"bytes"
	"fmt"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// The tables that an extraction makes beside its archive files.
const (
	ManifestTable = "manifest.tsv"
	IndexTable    = "index.cdxj"
)

// WriteTables is the reducer that writes each table into a file of its own. Its
// input lines are TABLE, sort key and line; a line that is empty is its key.
// They are sorted by table and key.
func WriteTables(t *stage.Task) error {
	var (
		name []byte
		file storage.Writer
		w    *bufio.Writer
	)
	finish := func() error {
		if w == nil {
			return nil
		}
		if err := w.Flush(); err != nil {
			return err
		}
		return file.Close()
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		table, rest, ok := bytes.Cut(line, []byte("\t"))
		key, text, ok2 := bytes.Cut(rest, []byte("\t"))
		if !ok || !ok2 {
			return fmt.Errorf("not a line of a table: %q", line)
		}
		if len(text) == 0 {
			text = key
		}
		if w == nil || !bytes.Equal(table, name) {
			if err := finish(); err != nil {
				return err
			}
			name = append(name[:0], table...)
			if bytes.ContainsAny(name, "/\\") || len(name) == 0 || name[0] == '.' {
				return fmt.Errorf("bad name of a table: %q", name)
			}
			if file, err = t.Create(string(name)); err != nil {
				return err
			}
			w = bufio.NewWriterSize(file, 256<<10)
		}
		w.Write(text)
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
		t.Count(string(name), 1)
	}
	return finish()
}
