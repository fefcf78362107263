// Package storage opens, lists, creates and renames files by path or URI.
//
// A path without a scheme and file:// name the machine's own file system,
// hdfs:// an HDFS (configuration from HADOOP_CONF_DIR, or the fs_defaultFS of a
// streaming task), https:// and http:// a server that can be read by byte
// ranges. hdfs:///path means the configured name node.
//
// Everything that is read gives random access: an archive record is found by
// its offset whatever the file lies on.
package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"syscall"
	"time"
)

// Reader is random access to one file of a known size in bytes. ReadAt follows
// io.ReaderAt; on HDFS concurrent calls are carried out one after the other.
type Reader interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Writer writes one file. Close makes the file appear under its name, whole;
// Abort leaves nothing. One of the two must be called; a call after Close or
// Abort does nothing.
type Writer interface {
	io.Writer
	Close() error
	Abort() error
}

// Info describes a file or folder.
type Info struct {
	Path    string // as a caller can open it: with its scheme where it has one
	Size    int64  // in bytes
	ModTime time.Time
	IsDir   bool
	IsPipe  bool // a pipe, socket or device: of no size, and read once if at all
}

// Name is the last element of the path.
func (i Info) Name() string { return path.Base(strings.TrimSuffix(i.Path, "/")) }

// fileSystem is one kind of place that files lie in. Paths are complete, with
// their scheme.
type fileSystem interface {
	open(name string) (Reader, error)
	create(name string, how mode) (Writer, error)
	stat(name string) (Info, error)
	list(dir string) ([]Info, error)
	rename(from, to string) error
	mkdirAll(dir string) error
	removeAll(name string) error
	sync(name string) error
}

// place finds the file system that a path belongs to and the gap, in bytes,
// that is cheaper to read than to skip there.
func place(name string) (fileSystem, int64, error) {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok {
		return local{}, 16 << 10, nil
	}
	switch scheme {
	case "file":
		return local{}, 16 << 10, nil
	case "hdfs":
		// A new position within a block costs a connection to a data node.
		return hadoop{}, 256 << 10, nil
	case "http", "https":
		return web{}, 1 << 20, nil
	}
	return nil, 0, fmt.Errorf("%s: %w for the scheme %q (known: file, hdfs, https, http)", name, errNoStorage, scheme)
}

// Open opens a file for random access. It never waits for others: the error of a
// pipe or device is ErrPipe.
func Open(name string) (Reader, error) {
	s, _, err := place(name)
	if err != nil {
		return nil, err
	}
	return s.open(name)
}

// mode says how a new file comes to its name.
type mode uint8

const (
	durable mode = iota // temporary name, forced to the disk, renamed
	renamed             // temporary name, renamed
	direct              // under its name at once
	special             // into the device or pipe of that name
)

// Create makes a file that appears under its name, safe on the disk, when the
// writer is closed; a file of that name is replaced, a device or pipe written to.
// Missing folders are made.
func Create(name string) (Writer, error) { return create(name, durable) }

// CreateData is Create without waiting for the disk: for large outputs that are
// made again should the whole machine crash.
func CreateData(name string) (Writer, error) { return create(name, renamed) }

// CreateDirect makes a file under its name at once: for folders that are
// committed as a whole, as a task attempt's is.
func CreateDirect(name string) (Writer, error) { return create(name, direct) }

func create(name string, how mode) (Writer, error) {
	s, _, err := place(name)
	if err != nil {
		return nil, err
	}
	return s.create(name, how)
}

// Stat describes a file or folder; the error is fs.ErrNotExist where there is none.
func Stat(name string) (Info, error) {
	s, _, err := place(name)
	if err != nil {
		return Info{}, err
	}
	return s.stat(name)
}

// List gives what a folder holds, sorted by name.
func List(dir string) ([]Info, error) {
	s, _, err := place(dir)
	if err != nil {
		return nil, err
	}
	return s.list(dir)
}

// Rename moves a file or folder within one file system; a file of the new name
// is replaced.
func Rename(from, to string) error {
	s, _, err := place(from)
	if err != nil {
		return err
	}
	return s.rename(from, to)
}

// MkdirAll makes a folder and those above it.
func MkdirAll(dir string) error {
	s, _, err := place(dir)
	if err != nil {
		return err
	}
	return s.mkdirAll(dir)
}

// RemoveAll removes a file, or a folder with all that is in it; nothing there
// is not an error.
func RemoveAll(name string) error {
	s, _, err := place(name)
	if err != nil {
		return err
	}
	return s.removeAll(name)
}

// Sync forces a file, or what a folder's entries are called, to the disk. Storage
// that keeps what it has taken, as HDFS does with its replicas, needs nothing done.
func Sync(name string) error {
	s, _, err := place(name)
	if err != nil {
		return err
	}
	return s.sync(name)
}

// Gap is the number of bytes between two ranges of a file that are cheaper to
// read and throw away than to skip.
func Gap(name string) int64 {
	_, gap, err := place(name)
	if err != nil {
		return 0
	}
	return gap
}

// Exists says whether there is a file or folder of that name. There is none below a
// file.
func Exists(name string) (bool, error) {
	_, err := Stat(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err == nil, nil
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		if info, e := Stat(name[:i]); e == nil && !info.IsDir {
			return false, nil
		}
	}
	return false, err
}

// Join puts a name behind a folder's path or URI.
func Join(base, name string) string {
	switch {
	case base == "":
		return name
	case name == "":
		return base
	}
	folder := strings.TrimRight(base, "/")
	if strings.HasSuffix(folder, ":") && IsURI(base) {
		folder += "//" // the root of a file system without a host
	}
	return folder + "/" + strings.TrimLeft(name, "/")
}

// IsURI says whether the name begins with a scheme, as in hdfs://host/path.
func IsURI(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok || scheme == "" {
		return false
	}
	for _, c := range scheme {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.') {
			return false
		}
	}
	return true
}

// Lasting says whether the error of opening a file is of a kind that another
// attempt would meet too: it is not there, is a folder, or must not be read.
func Lasting(err error) bool {
	for _, kind := range []error{fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, errIsFolder, ErrPipe, errStatus, errNoStorage,
		syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// ErrPipe is the error of opening a pipe, a socket or a device as a file.
var ErrPipe = errors.New("is a pipe or device, not a file")

var (
	errIsFolder  = errors.New("is a folder")
	errNoStorage = errors.New("no storage")
)

var errReadOnly = errors.New("this storage can only be read")
