package extract

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"archivestream/lib/buffers"
	"archivestream/lib/warc"
)

const (
	// requestRecords is how many records on each side of another are looked at for its
	// request. Crawlers write them next to each other; in real archives at most one
	// other record stands between them.
	requestRecords = 3
	// requestReach is how far from the record they may begin, in bytes of the file.
	requestReach = 1 << 20
	// requestStep is what is read first of the bytes before a record, which hold most
	// requests, and requestTries how many places in them are tried for a record that
	// ends where the next one begins: in a sound file hardly ever more than one.
	requestStep  = 8 << 10
	requestTries = 64
	// requestsKept is how many requests are remembered with the places of their copies.
	requestsKept = 4096
)

// A request is a request record beside the record that was asked for.
type request struct {
	offset, length int64
	url            string
	place          warc.Place // of its copy
}

// A besides finds the requests of records, and remembers where those that were copied
// last are: one that the list names too, or that of a record that is listed twice, is
// copied once.
type besides struct {
	copies map[besidePlace]warc.Place
	order  [requestsKept]besidePlace
	next   int // place in order that is used again
	window []byte
}

type besidePlace struct {
	path   string // of the archive
	offset int64
}

func (b *besides) remember(at besidePlace, place warc.Place) {
	if b.copies == nil {
		b.copies = map[besidePlace]warc.Place{}
	}
	delete(b.copies, b.order[b.next])
	b.order[b.next], b.copies[at] = at, place
	b.next = (b.next + 1) % requestsKept
}

// copyWithRequest copies the current record, and next to it the request that belongs to
// it. Of a request that is in the output already only the place is noted.
func (x *extractor) copyWithRequest(e *entry, a *archive, format warc.Format, at placed, record []byte) error {
	head, err := look(&x.fetcher, x.random.Head)
	if err != nil {
		return faultf("record header: %v", detail(err))
	}
	here := besidePlace{a.path, e.offset}
	switch head.Type {
	case warc.Request:
		var done bool
		if e.place, done = x.besides.copies[here]; done {
			e.again = true
			return nil
		}
		if e.place, err = x.copy(format, a, e.offset, at, record); err == nil {
			x.besides.remember(here, e.place)
		}
		return err
	case warc.Response, warc.Revisit:
	default:
		e.place, err = x.copy(format, a, e.offset, at, record)
		return err
	}
	beside, err := x.findRequest(a, head, e.offset, at)
	if err != nil {
		return err
	}
	if beside == nil {
		x.task.Count("requests not found", 1)
		e.place, err = x.copy(format, a, e.offset, at, record)
		return err
	}
	return x.copyBoth(e, a, at, record, beside)
}

// copyBoth copies the current record and its request into the same file.
func (x *extractor) copyBoth(e *entry, a *archive, at placed, record []byte, beside *request) error {
	there := besidePlace{a.path, beside.offset}
	if _, done := x.besides.copies[there]; done {
		var err error
		e.place, err = x.copy(warc.WARC, a, e.offset, at, record)
		return err
	}
	here := x.current
	x.current = current{archive: a, offset: beside.offset}
	next, err := placed{length: beside.length}, error(nil)
	if at.plain {
		if next, err = x.locatePlain(&item{offset: beside.offset, length: -1}); err != nil {
			return err
		}
	}
	if next.misled {
		x.task.Count("wrong lengths", 1)
	}
	if x.current = here; at.misled || next.misled {
		at.misled, next.misled = true, true // of one kind, so that they lie in one file
	} else {
		size := at.length + next.length + int64(len(at.closing)+len(next.closing))
		if err := x.out.Room(warc.FileKind{Format: warc.WARC, Plain: at.plain}, size); err != nil {
			return err
		}
	}
	if e.place, err = x.copy(warc.WARC, a, e.offset, at, record); err != nil {
		return err
	}
	if beside.place, err = x.copy(warc.WARC, a, beside.offset, next, nil); err != nil {
		return err
	}
	x.besides.remember(there, beside.place)
	x.task.Count("requests", 1)
	e.beside = beside
	return nil
}

// findRequest looks for the request of a record among those near it; nil if it is not
// there. A response that names others names what was written before it.
func (x *extractor) findRequest(a *archive, chosen *warc.Record, offset int64, at placed) (*request, error) {
	if chosen.Format != warc.WARC {
		return nil, nil
	}
	isFirst := chosen.Header.Has(concurrentTo)
	for _, before := range []bool{isFirst, !isFirst} {
		var found *request
		var err error
		if before {
			found, err = x.requestBefore(a, chosen, offset, at.plain)
		} else {
			found, err = x.requestAfter(a, chosen, offset+at.length)
		}
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// requestAfter looks at the records from an offset on.
func (x *extractor) requestAfter(a *archive, chosen *warc.Record, offset int64) (*request, error) {
	size := a.file.Size()
	end := min(size, offset+requestReach)
	for range requestRecords {
		if offset >= end {
			return nil, nil
		}
		head, err := x.random.Head(a.file, size, offset)
		if err != nil {
			return nil, x.passing(err)
		}
		if belongs(head, chosen) {
			return x.requestAt(a, head.TargetURI(), offset, size)
		}
		at, err := x.extent(a, offset, end)
		if err != nil {
			return nil, x.passing(err)
		}
		offset += at.Length
	}
	return nil, nil
}

// requestBefore looks at the records that end at an offset, and at those before them.
func (x *extractor) requestBefore(a *archive, chosen *warc.Record, end int64, plain bool) (*request, error) {
	low := max(0, end-requestReach)
	for range requestRecords {
		offset, err := x.previous(a, low, end, plain)
		if offset < 0 || err != nil {
			return nil, err
		}
		head, err := x.random.Head(a.file, a.file.Size(), offset)
		if err != nil {
			return nil, x.passing(err)
		}
		if belongs(head, chosen) {
			return x.requestAt(a, head.TargetURI(), offset, end)
		}
		end = offset
	}
	return nil, nil
}

// requestAt returns a request whose end is found, and whose member is sound.
func (x *extractor) requestAt(a *archive, url string, offset, size int64) (*request, error) {
	at, err := x.extent(a, offset, size)
	if err != nil {
		return nil, x.passing(err)
	}
	return &request{offset: offset + at.Lead, length: at.Length - at.Lead, url: url}, nil
}

// previous returns where the record begins that ends at an offset; -1 if it begins
// before low or is not found.
func (x *extractor) previous(a *archive, low, end int64, plain bool) (int64, error) {
	mark := string(gzipMagic)
	if plain {
		mark = "WARC/"
	}
	tries := 0
	for step, tried := int64(requestStep), end; tried > low; step *= 4 {
		from := max(low, end-step)
		window, err := x.besides.read(a, from, min(tried+int64(len(mark))-1, end))
		if err != nil {
			return -1, x.passing(err)
		}
		for i := bytes.LastIndex(window, []byte(mark)); i >= 0; i = bytes.LastIndex(window[:i], []byte(mark)) {
			if plain && i > 0 && window[i-1] != '\n' {
				continue
			}
			if tries++; tries > requestTries {
				return -1, nil
			}
			offset := from + int64(i)
			at, err := x.extent(a, offset, end)
			if err == nil && offset+at.Length == end {
				return offset, nil
			}
			if err = x.passing(err); err != nil {
				return -1, err
			}
		}
		tried = from
	}
	return -1, nil
}

// read returns bytes of an archive, good until it is called again.
func (b *besides) read(a *archive, from, to int64) ([]byte, error) {
	buffers.Spoil(b.window)
	if n := int(to - from); cap(b.window) < n {
		b.window = make([]byte, n)
	} else {
		b.window = b.window[:n]
	}
	if n, err := a.file.ReadAt(b.window, from); n < len(b.window) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b.window, nil
}

// extent returns how far the member or plain record at an offset reaches, in a file that
// is taken to end at size.
func (x *extractor) extent(a *archive, offset, size int64) (warc.PlainExtent, error) {
	var magic [3]byte
	if n, err := a.file.ReadAt(magic[:], offset); err != nil && (err != io.EOF || n == 0) {
		return warc.PlainExtent{}, err
	}
	if bytes.Equal(magic[:], gzipMagic) {
		length, err := x.random.MemberLength(a.file, size, offset)
		return warc.PlainExtent{Length: length}, err
	}
	return x.random.PlainExtent(a.file, size, offset)
}

// passing returns an error of the file itself as extraction does: what is wrong with a
// neighbour of a record only means that there is no request.
func (x *extractor) passing(err error) error {
	var d *warc.Defect
	if err == nil || err == io.EOF || errors.As(err, &d) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return x.unreadable(err)
}

// concurrentTo names records of the same capture (ISO 28500:2017, section 5.7). It may
// stand in a header more than once, and in that of either record.
const concurrentTo = "WARC-Concurrent-To"

// belongs reports whether a record is the request of another.
func belongs(r, chosen *warc.Record) bool {
	return r.Type == warc.Request && (names(r, chosen) || names(chosen, r))
}

// names reports whether a record says that it is of the same capture as another.
func names(r, other *warc.Record) bool {
	id := other.Header.URI("WARC-Record-ID")
	for _, f := range r.Header {
		if strings.EqualFold(f.Name, concurrentTo) && id != "" && strings.Trim(f.Value, "<>") == id {
			return true
		}
	}
	return false
}
