package jobfiles

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"archivestream/lib/storage"
)

// ship copies a program of this machine into a folder of the cluster, under a name with
// its SHA-256 digest, and prints its URI. One that is there already is not copied again:
// its name says what it is, and it appears when it is whole.
func ship(paths []string, _ io.Reader, out io.Writer) error {
	program, folder := paths[0], paths[1]
	f, err := os.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return err
	}
	to := storage.Join(folder, fmt.Sprintf("%s-%x", filepath.Base(program), h.Sum(nil)[:16]))
	there, err := storage.Exists(to)
	if err != nil {
		return err
	}
	if there {
		info, err := storage.Stat(to)
		if err != nil {
			return err
		}
		if info.Size != size {
			return &failure{message: fmt.Sprintf("%s has %d bytes, expected %d", to, info.Size, size), hint: "remove it"}
		}
	} else if err := copyTo(to, f); err != nil {
		return fmt.Errorf("%s: %w", path.Base(program), err)
	}
	_, err = fmt.Fprintln(out, to)
	return err
}

// copyTo copies a file from its start into a new one.
func copyTo(to string, f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, err := storage.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, f); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}
