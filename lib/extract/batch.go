package extract

import (
	"bytes"
	"io"

	"archivestream/lib/buffers"
)

const (
	// batchGaps is how long one read may be at most, in gaps of the storage: the
	// dearer a position is, the more is read from it. On a local disk that makes
	// 256 KiB, which stay in the processor's cache until they are written.
	batchGaps = 16
	// maxHeld is the largest record that is held in memory, in bytes; a larger
	// one is copied in pieces.
	maxHeld = 16 << 20
	// probe is how many bytes behind a record are read with it: enough to see
	// whether another member or record begins there.
	probe = 4
)

// A batch is captures of one archive whose records lie so close together that
// one read fetches them all.
type batch struct {
	archive *archive
	start   int64  // of the first record
	end     int64  // behind the last one
	window  []byte // the archive's bytes from start on
}

// take begins a batch with the first of the entries and gives the number of
// those, from the first on, that belong to it.
func (b *batch) take(a *archive, entries []entry) int {
	first := &entries[0]
	buffers.Spoil(b.window)
	b.archive, b.window = a, b.window[:0]
	b.start, b.end = first.offset, first.offset+max(first.length, 0)
	if first.length < 0 {
		return 1
	}
	n := 1
	for n < len(entries) && b.accepts(&first.item, &entries[n]) {
		b.end = max(b.end, entries[n].offset+entries[n].length)
		n++
	}
	return n
}

// accepts says whether the record of the entry is to be fetched with the others.
func (b *batch) accepts(first *item, e *entry) bool {
	return e.fault == nil && e.length >= 0 &&
		bytes.Equal(first.archive, e.archive) &&
		e.offset >= b.start && e.offset-b.end <= b.archive.gap &&
		max(b.end, e.offset+e.length)-b.start <= batchGaps*b.archive.gap
}

// fetch reads the batch's records and the probe behind them, as far as the file
// goes and maxHeld allows.
func (b *batch) fetch() error {
	r := b.archive.file
	end := min(b.end+probe, r.Size(), b.start+maxHeld+probe)
	if b.start >= end {
		b.window = b.window[:0]
		return nil
	}
	n := int(end - b.start)
	if cap(b.window) < n {
		b.window = make([]byte, n, max(n, int(batchGaps*b.archive.gap+probe)))
	}
	b.window = b.window[:n]
	read, err := r.ReadAt(b.window, b.start)
	if read == n {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF // the file has become shorter
	}
	b.window = b.window[:read]
	return err
}

// record gives the bytes of a record and up to probe bytes behind it; ok is
// false where the window does not hold it whole.
func (b *batch) record(offset, length int64) (record, behind []byte, ok bool) {
	from, to := offset-b.start, offset+length-b.start
	if from < 0 || to > int64(len(b.window)) {
		return nil, nil, false
	}
	return b.window[from:to:to], b.window[to:min(to+probe, int64(len(b.window)))], true
}
