package extract

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// Archives finds archive files by the names that lists use and keeps the last
// ones open.
type Archives struct {
	base  string // folder or URI; may be empty
	index *pathIndex
	open  map[string]*list.Element
	used  *list.List // of *archive, the last used first
	limit int
}

// An archive is a file that records are taken from.
type archive struct {
	name string // as lists use it
	path string // where it is
	file storage.Reader
	err  error // why it cannot be read; file is nil
	// passing says that it may be read by another attempt
	passing bool
	gap     int64       // bytes cheaper to read than to skip
	format  warc.Format // as far as the name or a record has told
}

// openArchives is how many files are kept open for lists that jump between
// them. In archive order one would do.
const openArchives = 32

// OpenArchives makes the finder. base is the folder or URI that the names are
// relative to. pathIndex names a file with lines NAME TAB PATH, sorted by the
// bytes of the name (LC_ALL=C sort), that goes before base. Either may be empty.
func OpenArchives(base, pathIndex string) (*Archives, error) {
	a := &Archives{base: base, open: map[string]*list.Element{}, used: list.New(), limit: openArchives}
	if pathIndex != "" {
		f, err := storage.Open(pathIndex)
		if err != nil {
			return nil, fmt.Errorf("path index: %w", err)
		}
		a.index = newPathIndex(f)
	}
	return a, nil
}

// Close closes all files.
func (a *Archives) Close() {
	for e := a.used.Front(); e != nil; e = e.Next() {
		e.Value.(*archive).close()
	}
	if a.index != nil {
		a.index.file.Close()
	}
}

func (f *archive) close() {
	if f.file != nil {
		f.file.Close()
	}
}

// get gives the archive of a name. One that cannot be opened is given too, with
// its error, so that it is not tried again for each of its records.
func (a *Archives) get(name []byte) *archive {
	if e := a.open[string(name)]; e != nil {
		a.used.MoveToFront(e)
		return e.Value.(*archive)
	}
	if a.used.Len() >= a.limit {
		e := a.used.Back()
		old := e.Value.(*archive)
		old.close()
		delete(a.open, old.name)
		a.used.Remove(e)
	}
	f := &archive{name: string(name)}
	f.path, f.err = a.resolve(f.name)
	if f.err == nil {
		f.gap = storage.Gap(f.path)
		f.file, f.err = storage.Open(f.path)
		f.passing = f.err != nil && !storage.Lasting(f.err)
		if errors.Is(f.err, fs.ErrNotExist) {
			f.err = errors.New("archive file not found")
		} else if f.err != nil {
			f.err = fmt.Errorf("archive file cannot be opened: %w", f.err)
		}
	}
	a.open[f.name] = a.used.PushFront(f)
	return f
}

// resolve gives the path of a name: what the path index says, or the name below
// the base. A list cannot reach out of the base.
func (a *Archives) resolve(name string) (string, error) {
	if a.index != nil {
		found, err := a.index.lookup([]byte(name))
		if err != nil {
			return "", fmt.Errorf("path index: %w", err)
		}
		if found != "" {
			return found, nil
		}
		if a.base == "" {
			return "", errors.New("archive file not in the path index")
		}
	}
	if strings.IndexByte(name, 0) >= 0 {
		return "", errors.New("archive file name with a zero byte")
	}
	for _, element := range strings.Split(name, "/") {
		if element == ".." {
			return "", errors.New("archive file name with a .. element")
		}
	}
	if storage.IsURI(name) || strings.HasPrefix(name, "/") {
		if a.base == "" || strings.HasPrefix(name, strings.TrimRight(a.base, "/")+"/") {
			return name, nil
		}
		return "", errors.New("archive file lies outside of --archives")
	}
	return storage.Join(a.base, path.Clean(name)), nil
}

// A pathIndex is a sorted file of names and paths that is searched where it
// lies, so that its size does not matter.
type pathIndex struct {
	file storage.Reader
	buf  []byte
}

// indexBlock is what one probe of the search reads at first, in bytes.
const indexBlock = 4 << 10

func newPathIndex(f storage.Reader) *pathIndex { return &pathIndex{file: f} }

// lookup gives the path of a name, "" where the index has none.
func (x *pathIndex) lookup(name []byte) (string, error) {
	low, high := int64(0), x.file.Size() // the line wanted begins in [low, high)
	for low < high {
		middle := low + (high-low)/2
		start, line, err := x.lineFrom(middle)
		if err != nil {
			return "", err
		}
		if start >= high { // no line begins in [middle, high)
			high = middle
			continue
		}
		key, found, ok := bytes.Cut(line, []byte("\t"))
		if !ok {
			return "", fmt.Errorf("no tab in the line at offset %d", start)
		}
		switch c := bytes.Compare(key, name); {
		case c == 0:
			return string(bytes.TrimSuffix(found, []byte("\r"))), nil
		case c < 0:
			low = start + int64(len(line)) + 1
		default:
			high = middle
		}
	}
	return "", nil
}

// lineFrom gives the first line that begins at or behind the offset.
func (x *pathIndex) lineFrom(offset int64) (start int64, line []byte, err error) {
	start = offset
	if offset > 0 {
		rest, err := x.until(offset - 1)
		if err != nil {
			return 0, nil, err
		}
		start = offset + int64(len(rest))
	}
	if start >= x.file.Size() {
		return x.file.Size(), nil, nil
	}
	line, err = x.until(start)
	return start, line, err
}

// until gives the bytes from the offset up to the next line feed.
func (x *pathIndex) until(offset int64) ([]byte, error) {
	for size := indexBlock; ; size *= 4 {
		if cap(x.buf) < size {
			x.buf = make([]byte, size)
		}
		n, err := x.file.ReadAt(x.buf[:size], offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if i := bytes.IndexByte(x.buf[:n], '\n'); i >= 0 {
			return x.buf[:i], nil
		}
		if err == io.EOF || n < size {
			return x.buf[:n], nil
		}
	}
}
