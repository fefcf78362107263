package extract

import (
	"bytes"
	"io"
)

const (
	// batchGaps is how long one read may be at most, in gaps of the storage: the
	// dearer a position is, the more is read from it. On a local disk that makes
	// 256 KiB, which stay in the processor's cache until they are written.
	batchGaps = 16
	// maxItems bounds the captures that one read serves.
	maxItems = 4096
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
	items   []item
	arena   []byte // holds the bytes that the items point into
	start   int64  // of the first record
	end     int64  // behind the last one
	archive *archive
	window  []byte // the archive's bytes from start on
}

// accepts says whether the record of the item is to be fetched with the others.
func (b *batch) accepts(it *item) bool {
	if len(b.items) == 0 {
		return true
	}
	first := &b.items[0]
	return len(b.items) < maxItems &&
		it.length >= 0 && first.length >= 0 &&
		bytes.Equal(first.archive, it.archive) &&
		it.offset >= b.start && it.offset-b.end <= b.archive.gap &&
		max(b.end, it.offset+it.length)-b.start <= batchGaps*b.archive.gap
}

// add copies the item, whose slices are the caller's, into the batch.
func (b *batch) add(it *item) {
	kept := *it
	kept.archive = b.keep(it.archive)
	kept.line = b.keep(it.line)
	kept.position = nil
	kept.form = it.form
	if len(b.items) == 0 {
		b.start, b.end = it.offset, it.offset
	}
	b.end = max(b.end, it.offset+max(it.length, 0))
	b.items = append(b.items, kept)
}

// keep copies bytes into the arena. When it has to grow, earlier slices keep
// the old one alive, so they stay valid.
func (b *batch) keep(p []byte) []byte {
	n := len(b.arena)
	b.arena = append(b.arena, p...)
	return b.arena[n:len(b.arena):len(b.arena)]
}

func (b *batch) reset() { b.items, b.arena = b.items[:0], b.arena[:0] }

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
	return b.window[from:to], b.window[to:min(to+probe, int64(len(b.window)))], true
}
