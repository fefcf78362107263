package extract

import (
	"bytes"
	"fmt"
	"io"

	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

// A fetcher reads the records of a plan, neighbours with one read.
type fetcher struct {
	archives *Archives
	random   *warc.RandomReader
	batch    batch
	window   bytes.Reader // over the batch's
	current  current      // the record that is looked at
	told     Fetched
	again    bool // another attempt at the task follows
}

func newFetcher(archives *Archives) fetcher {
	return fetcher{archives: archives, random: warc.NewRandomReader()}
}

// current is where the record lies that is being extracted.
type current struct {
	archive *archive
	offset  int64
	held    bool // it is in the batch's window
}

// look reads something of the current record: out of the window if it is there,
// and else, or where the window leaves a doubt, out of the file.
func look[T any](f *fetcher, read func(r io.ReaderAt, size, offset int64) (T, error)) (T, error) {
	c := &f.current
	if c.held {
		f.window.Reset(f.batch.window)
		if found, err := read(&f.window, f.window.Size(), c.offset-f.batch.start); err == nil {
			return found, nil
		}
	}
	return read(c.archive.file, c.archive.file.Size(), c.offset)
}

// fetch reads the record of the first of the entries, and with it those that one
// read fetches too. It gives their number and the archive that they are of. The
// error is theirs.
func (f *fetcher) fetch(entries []entry) (n int, a *archive, err error) {
	b, first := &f.batch, &entries[0]
	a = f.archiveOf(&first.item)
	n = b.take(a, entries)
	if a.err != nil {
		if f.again && a.passing {
			return n, a, a.err
		}
		return n, a, faultf("%v", a.err)
	}
	if first.length < 0 && first.offset < a.file.Size() {
		length, err := f.length(&first.item, a)
		if err != nil {
			return n, a, err
		}
		first.length = length
		b.end = first.offset + length
	}
	if err := b.fetch(); err != nil {
		return n, a, f.unreadable(err)
	}
	return n, a, nil
}

// unreadable is the fault of an archive that fails as a disk or a network does; an
// error, where another attempt at the task follows.
func (f *fetcher) unreadable(err error) error {
	if f.again {
		return fmt.Errorf("archive file cannot be read: %w", err)
	}
	return faultf("archive file cannot be read: %v", err)
}

// archiveOf gives the archive of an item, opened if it can be.
func (f *fetcher) archiveOf(it *item) *archive {
	name, err := stage.AppendUnescaped(nil, it.archive)
	if err != nil {
		return &archive{err: fmt.Errorf("archive file name: %w", err)}
	}
	return f.archives.get(name)
}

// length finds a record's length that the list does not have.
func (f *fetcher) length(it *item, a *archive) (int64, error) {
	f.current = current{archive: a, offset: it.offset}
	head := make([]byte, len(gzipMagic))
	if _, err := a.file.ReadAt(head, it.offset); err != nil && err != io.EOF {
		return 0, f.unreadable(err)
	}
	if string(head) != string(gzipMagic) {
		at, err := f.locatePlain(it)
		return at.length, err
	}
	length, err := look(f, f.random.MemberLength)
	if err != nil {
		return 0, faultf("damaged gzip member: %v", detail(err))
	}
	return length, nil
}

// ends reads the begin of a record too large to be held, and what is behind it.
func (f *fetcher) ends(it *item, a *archive) (begin, behind []byte) {
	begin, behind = make([]byte, probe), make([]byte, probe)
	n, _ := a.file.ReadAt(begin, it.offset)
	m, _ := a.file.ReadAt(behind, it.offset+it.length)
	return begin[:n], behind[:m]
}
