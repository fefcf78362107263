package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// local is the machine's own file system.
type local struct{}

// localPath takes the scheme off URIs: file:///a, and file:/a as Hadoop has it.
func localPath(name string) string {
	if rest, ok := strings.CutPrefix(name, "file:"); ok && strings.HasPrefix(rest, "/") {
		return "/" + strings.TrimLeft(rest, "/")
	}
	return name
}

type localFile struct {
	*os.File
	size int64
}

func (f localFile) Size() int64 { return f.size }

func (local) open(name string) (Reader, error) {
	st, err := os.Stat(localPath(name))
	if err != nil {
		return nil, err
	}
	// A pipe must not even be opened: that waits for somebody who writes, or lets him
	// go who does.
	if st.Mode()&irregular != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrPipe}
	}
	f, err := os.OpenFile(localPath(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	st, err = f.Stat()
	if err == nil && st.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errIsFolder}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return localFile{f, st.Size()}, nil
}

// irregular are the bits of what is neither a file nor a folder.
const irregular = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice | fs.ModeIrregular

// openPipe opens a pipe or device for reading, and waits for somebody who writes.
func openPipe(name string) (*os.File, error) { return os.Open(localPath(name)) }

// isPipe reports whether a name is that of a pipe or device on this machine.
func isPipe(name string) bool {
	if s, _, err := place(name); err != nil || s != (local{}) {
		return false
	}
	st, err := os.Stat(localPath(name))
	return err == nil && st.Mode()&irregular != 0
}

// localWriter writes under a temporary name and renames at the end, so that a
// killed program never leaves half a file under a name that somebody trusts.
type localWriter struct {
	*os.File
	name string
	how  mode
	done bool
}

func (local) create(name string, how mode) (Writer, error) {
	name = localPath(name)
	dir, base := filepath.Split(name)
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	// A device or pipe, as /dev/null, is written to: a file in its place would be
	// another thing.
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		how = special
	}
	var f *os.File
	var err error
	switch how {
	case special:
		f, err = os.OpenFile(name, os.O_WRONLY, 0)
	case direct:
		f, err = os.Create(name)
	default:
		f, err = os.CreateTemp(dir, "."+base+".*.part")
	}
	if err != nil {
		return nil, err
	}
	return &localWriter{File: f, name: name, how: how}, nil
}

func (w *localWriter) Close() error {
	if w.done {
		return nil
	}
	w.done = true
	if w.how == direct || w.how == special {
		return w.File.Close()
	}
	// CreateTemp's mode is 0600; give what os.Create would have given.
	err := w.File.Chmod(0o666 &^ umask)
	if w.how == durable {
		if e := w.File.Sync(); err == nil {
			err = e
		}
	}
	if e := w.File.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(w.File.Name(), w.name)
	}
	if err != nil {
		os.Remove(w.File.Name())
	}
	return err
}

func (w *localWriter) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	err := w.File.Close()
	if w.how == special {
		return err
	}
	return os.Remove(w.File.Name())
}

func (local) stat(name string) (Info, error) {
	st, err := os.Stat(localPath(name))
	if err != nil {
		return Info{}, err
	}
	return localInfo(name, st), nil
}

func localInfo(name string, st fs.FileInfo) Info {
	return Info{Path: name, Size: st.Size(), ModTime: st.ModTime(), IsDir: st.IsDir(), IsPipe: st.Mode()&irregular != 0}
}

func (local) list(dir string) ([]Info, error) {
	entries, err := os.ReadDir(localPath(dir))
	if err != nil {
		return nil, err
	}
	infos := make([]Info, 0, len(entries))
	for _, e := range entries {
		name := Join(dir, e.Name())
		if dir == "/" {
			name = "/" + e.Name()
		}
		st, err := os.Stat(localPath(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since, or a link to nowhere
		}
		if err != nil {
			return nil, err
		}
		infos = append(infos, localInfo(name, st))
	}
	return infos, nil
}

func (local) rename(from, to string) error { return os.Rename(localPath(from), localPath(to)) }

func (local) mkdirAll(dir string) error { return os.MkdirAll(localPath(dir), 0o777) }

func (local) sync(name string) error {
	f, err := os.Open(localPath(name))
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (local) removeAll(name string) error { return os.RemoveAll(localPath(name)) }
