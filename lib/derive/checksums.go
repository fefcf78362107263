package derive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// Checksums is the mapper that gives NAME TAB SHA-256 TAB SIZE for files, the size in
// bytes. Its input lines are PATH [TAB NAME [TAB copy]]: the path or URI of a file, the
// name that it is listed under, and whether it is copied to a side file of that name. A
// file that cannot be read ends the task: what is published has to be whole.
func Checksums(t *stage.Task) error {
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		path, name, named := strings.Cut(string(line), "\t")
		if !named {
			name = path
		}
		name, copied := strings.CutSuffix(name, "\tcopy")
		t.Status("reading %s", path)
		sum, size, err := checksum(t, path, name, copied)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := t.Emit([]byte(name), []byte(sum), strconv.AppendInt(nil, size, 10)); err != nil {
			return err
		}
		t.Count("bytes", size)
	}
	return nil
}

// checksum reads a file once.
func checksum(t *stage.Task, path, name string, copied bool) (sum string, size int64, err error) {
	f, err := storage.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	to := io.Writer(h)
	var copying storage.Writer
	if copied {
		if copying, err = t.Create(name); err != nil {
			return "", 0, err
		}
		to = io.MultiWriter(h, copying)
	}
	size, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{io.NewSectionReader(f, 0, f.Size())}, make([]byte, 1<<20))
	if err == nil && copied {
		err = copying.Close()
	}
	return hex.EncodeToString(h.Sum(nil)), size, err
}
