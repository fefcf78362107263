package storage

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Real returns the path of a file or folder without links, "." and "..". Of one that
// is not there, what is there of its path is resolved.
func Real(name string) (string, error) {
	s, _, err := place(name)
	if err != nil {
		return "", err
	}
	switch s.(type) {
	case local:
		return realLocal(localPath(name))
	case hadoop:
		prefix, rest := root(name)
		return prefix + path.Clean(rest), nil
	}
	return name, nil
}

// realLocal leaves the ".." of a path to the file system: that of a link is the folder
// above what the link leads to.
func realLocal(name string) (string, error) {
	if !path.IsAbs(name) {
		dir, err := os.Getwd()
		if err != nil {
			return "", err
		}
		name = dir + "/" + name
	}
	rest := ""
	for range maxLinks {
		real, err := filepath.EvalSymlinks(name)
		if err == nil {
			return path.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		// A link to what is not there is where that would be made.
		trimmed := strings.TrimRight(name, "/")
		dir, base := path.Split(trimmed)
		if to, err := os.Readlink(trimmed); err == nil {
			if name = to; !path.IsAbs(to) {
				name = dir + to
			}
			continue
		}
		name, rest = dir, path.Join(base, rest)
	}
	return "", &fs.PathError{Op: "resolve", Path: name, Err: errors.New("too many links or folders")}
}

// maxLinks bounds the steps of resolving a path of which a part is not there.
const maxLinks = 255

// A Folder answers which files lie in it.
type Folder struct {
	real   string
	info   fs.FileInfo     // of the machine's own disks, nil if it is not there
	inside map[string]bool // by real paths of folders
}

// NewFolder looks at a folder, which need not be there.
func NewFolder(dir string) (*Folder, error) {
	real, err := Real(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{real: real, inside: map[string]bool{}}
	if !IsURI(real) {
		if f.info, err = os.Stat(real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return f, nil
}

// Holds reports whether a file or folder is this folder or lies below it, whatever
// links or mounts lead there. One that is not there does where it would be made there.
func (f *Folder) Holds(name string) (bool, error) {
	real, err := Real(name)
	if err != nil {
		return false, err
	}
	if IsURI(f.real) || IsURI(real) {
		return f.holdsURI(real), nil
	}
	if real == f.real {
		return true, nil
	}
	return f.above(path.Dir(real)) || f.same(real), nil
}

// holdsURI compares paths; a host that is not named may be any.
func (f *Folder) holdsURI(real string) bool {
	if !IsURI(f.real) || !IsURI(real) {
		return false
	}
	host, dir := root(f.real)
	otherHost, name := root(real)
	scheme, host, _ := strings.Cut(host, "://")
	otherScheme, otherHost, _ := strings.Cut(otherHost, "://")
	if scheme != otherScheme || host != otherHost && host != "" && otherHost != "" {
		return false
	}
	return name == dir || strings.HasPrefix(name, strings.TrimRight(dir, "/")+"/")
}

// above reports whether a folder is this one or below it.
func (f *Folder) above(dir string) bool {
	known, ok := f.inside[dir]
	if !ok {
		known = dir == f.real || f.same(dir) || dir != "/" && f.above(path.Dir(dir))
		f.inside[dir] = known
	}
	return known
}

// same reports whether a path leads to this folder by a mount.
func (f *Folder) same(name string) bool {
	if f.info == nil {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && os.SameFile(info, f.info)
}
