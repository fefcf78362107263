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
// bytes. Its input lines are their paths or URIs and, behind a tab, their names. A file
// that cannot be read ends the task: what is published has to be whole.
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
		t.Status("reading %s", path)
		sum, size, err := checksum(path)
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

func checksum(path string) (sum string, size int64, err error) {
	f, err := storage.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{io.NewSectionReader(f, 0, f.Size())}, make([]byte, 1<<20))
	return hex.EncodeToString(h.Sum(nil)), size, err
}
