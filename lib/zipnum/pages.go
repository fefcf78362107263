package zipnum

import (
	"bytes"
	"container/list"
	"fmt"
	"io"

	"archivestream/lib/lines"
	"archivestream/lib/storage"
)

// pageBudget is how much of a sorted file stays in memory, in bytes: all of a
// small index, the begins of the searches in a large one.
const pageBudget = 16 << 20

// maxAhead is the most that one request of a long scan asks for, in bytes.
const maxAhead = 4 << 20

// A sortedFile is a text file with sorted lines that is searched without being
// read whole.
type sortedFile struct {
	name  string
	r     storage.Reader
	page  int64 // size of a page, in bytes
	keep  int64 // pages that stay in memory
	pages map[int64]*list.Element
	used  list.List // of *page, the last used one in front
	head  []byte    // begin of the line that is compared
}

type page struct {
	number int64
	data   []byte
}

// newSortedFile shares the budget with as many other files.
func newSortedFile(name string, r storage.Reader, sharers int) *sortedFile {
	// A page takes about as long as the way to it.
	size := min(max(storage.Gap(name), 16<<10), 256<<10)
	keep := max(pageBudget/size/int64(sharers), 2)
	return &sortedFile{name: name, r: r, page: size, keep: keep, pages: map[int64]*list.Element{}}
}

func (f *sortedFile) size() int64 { return f.r.Size() }

// at gives the bytes from an offset to the end of its page.
func (f *sortedFile) at(offset int64) ([]byte, error) {
	number := offset / f.page
	if e := f.pages[number]; e != nil {
		f.used.MoveToFront(e)
		return e.Value.(*page).data[offset-number*f.page:], nil
	}
	p := &page{number: number}
	if int64(len(f.pages)) >= f.keep {
		oldest := f.used.Back()
		p.data = oldest.Value.(*page).data
		delete(f.pages, oldest.Value.(*page).number)
		f.used.Remove(oldest)
	}
	n := min(f.page, f.size()-number*f.page)
	if int64(cap(p.data)) < n {
		p.data = make([]byte, n)
	}
	p.data = p.data[:n]
	if err := f.read(p.data, number*f.page); err != nil {
		return nil, err
	}
	f.pages[number] = f.used.PushFront(p)
	return p.data[offset-number*f.page:], nil
}

// read fills p; the file must be that long.
func (f *sortedFile) read(p []byte, offset int64) error {
	n, err := f.r.ReadAt(p, offset)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s at %d: %w", f.name, offset, err)
}

// lineStart gives where the first line begins that begins at an offset or behind
// it; the file's size where none does.
func (f *sortedFile) lineStart(offset int64) (int64, error) {
	if offset == 0 {
		return 0, nil
	}
	for offset--; offset < f.size(); {
		data, err := f.at(offset)
		if err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return offset + int64(i) + 1, nil
		}
		offset += int64(len(data))
	}
	return f.size(), nil
}

// lineHead gives at most n bytes of the line that begins at an offset.
func (f *sortedFile) lineHead(offset int64, n int) ([]byte, error) {
	f.head = f.head[:0]
	for len(f.head) < n && offset < f.size() {
		data, err := f.at(offset)
		if err != nil {
			return nil, err
		}
		data = data[:min(len(data), n-len(f.head))]
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return append(f.head, data[:i]...), nil
		}
		f.head = append(f.head, data...)
		offset += int64(len(data))
	}
	return f.head, nil
}

// find gives the offset of a line that is below, from which on all lines up to
// the first one that is not below lie within about a page; 0 where there is none.
// A line is told by its first n bytes.
func (f *sortedFile) find(n int, below func(head []byte) bool) (int64, error) {
	start := int64(0)
	lo, hi := int64(0), (f.size()+f.page-1)/f.page // pages: lo is below, hi is not
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		at, err := f.lineStart(mid * f.page)
		if err != nil {
			return 0, err
		}
		isBelow := false
		if at < f.size() {
			head, err := f.lineHead(at, n)
			if err != nil {
				return 0, err
			}
			isBelow = below(head)
		}
		if isBelow {
			lo, start = max(mid, at/f.page), at
		} else {
			hi = mid
		}
	}
	return start, nil
}

// A scanner gives the lines of a sortedFile from an offset on.
type scanner struct {
	f      *sortedFile
	offset int64  // of the next line
	read   int64  // end of what data has
	data   []byte // not yet taken
	long   []byte // a line that lies in several pieces
	ahead  int64  // what the next request asks for, in bytes
	buffer []byte
}

// reset goes to the line that begins at an offset.
func (s *scanner) reset(f *sortedFile, offset int64) {
	s.f, s.offset, s.read, s.data, s.ahead = f, offset, offset, nil, f.page
}

// fill gets the next piece: a page as long as the scan is short, then larger and
// larger ones that are not kept.
func (s *scanner) fill() error {
	if s.ahead <= 2*s.f.page {
		data, err := s.f.at(s.read)
		if err != nil {
			return err
		}
		s.data = data
	} else {
		n := min(s.ahead, s.f.size()-s.read)
		if int64(cap(s.buffer)) < n {
			s.buffer = make([]byte, n)
		}
		s.data = s.buffer[:n]
		if err := s.f.read(s.data, s.read); err != nil {
			s.data = nil
			return err
		}
	}
	s.ahead = min(2*s.ahead, maxAhead)
	s.read += int64(len(s.data))
	return nil
}

func (s *scanner) tooLong(start, length int64) error {
	s.long = nil
	return &BlockError{s.f.name, start, fmt.Errorf("a line of %d bytes is longer than the longest that is read, %d", length, lines.Max)}
}

// next gives a line without its line feed, valid until the next use of the file;
// io.EOF behind the last one. The error is a *BlockError for a line that is too long:
// it is left out, and lines can be read on.
func (s *scanner) next() ([]byte, error) {
	s.long = s.long[:0]
	start, skipped := s.offset, int64(0)
	for {
		if len(s.data) == 0 {
			if s.read >= s.f.size() {
				s.offset = s.read
				if skipped > 0 {
					return nil, s.tooLong(start, skipped)
				}
				if len(s.long) == 0 {
					return nil, io.EOF
				}
				return s.long, nil // the last line, without a line feed
			}
			if err := s.fill(); err != nil {
				return nil, err
			}
		}
		i := bytes.IndexByte(s.data, '\n')
		if i < 0 {
			s.long = append(s.long, s.data...)
			s.data = nil
			if skipped > 0 || len(s.long) > lines.Max {
				skipped += int64(len(s.long))
				s.long = s.long[:0]
			}
			continue
		}
		line := s.data[:i]
		s.data = s.data[i+1:]
		s.offset = s.read - int64(len(s.data))
		if skipped > 0 {
			return nil, s.tooLong(start, skipped+int64(len(s.long)+i))
		}
		if len(s.long) > 0 {
			s.long = append(s.long, line...)
			line = s.long
		}
		return line, nil
	}
}
