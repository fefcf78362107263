package selection

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/lines"
	"archivestream/lib/storage"
	"archivestream/lib/surt"
	"archivestream/lib/where"
	"archivestream/lib/zipnum"
)

// An index is one of those that captures are searched in.
type index struct {
	name    string
	cluster *zipnum.Cluster // nil: it has to be scanned
	ranges  []where.Range
	header  []byte // of a CDX file
	weight  int64  // bytes that are read of it
}

// indexes filters the lines of indexes. Nothing is read where that would be more
// than MaxBytes; the counter "unread" tells it.
func (f *filter) indexes() error {
	wanted, byURL := []where.Range{{}}, false
	if f.where != nil {
		wanted, byURL = f.where.KeyRanges(), f.where.ByURL()
	}
	all, err := f.openAll(wanted, byURL)
	defer closeAll(all)
	if err != nil {
		return err
	}
	weight := int64(0)
	for i := range all {
		weight += all[i].weight
	}
	if f.MaxBytes > 0 && weight > f.MaxBytes {
		f.task.Count("unread", 1)
		return nil
	}
	for i := range all {
		if err := f.read1(&all[i]); err != nil {
			return zipnum.Hint(err)
		}
	}
	return nil
}

// openAll opens all indexes that the options name.
func (f *filter) openAll(wanted []where.Range, byURL bool) (all []index, err error) {
	for _, path := range f.Indexes {
		names, err := zipnum.Indexes(path)
		if err != nil {
			return all, err
		}
		for _, name := range names {
			x, err := openIndex(name, zipnum.OptionsOf(f.task), wanted, byURL)
			if err != nil {
				return all, err
			}
			all = append(all, x)
		}
	}
	return all, nil
}

func closeAll(all []index) {
	for i := range all {
		if all[i].cluster != nil {
			all[i].cluster.Close()
		}
	}
}

// openIndex sees how an index can be read: searched where the ranges are not all of
// it and it is sorted by keys.
func openIndex(name string, o zipnum.Options, wanted []where.Range, byURL bool) (x index, err error) {
	x = index{name: name, ranges: wanted}
	if !isCluster(name) {
		r, err := storage.Open(name)
		if err != nil {
			return x, err
		}
		defer r.Close()
		if x.weight = r.Size(); !where.Selects(x.ranges) || !x.searchable(r, byURL) {
			return x, nil
		}
	}
	if x.cluster, err = zipnum.Open(name, o); err != nil {
		return x, err
	}
	x.weight = 0
	for _, r := range x.ranges {
		n, err := x.cluster.Weight(r.From, r.To)
		if err != nil {
			return x, err
		}
		x.weight += n
	}
	return x, nil
}

// isCluster says whether a path is that of a ZipNum cluster, as zipnum.Indexes gives
// it.
func isCluster(name string) bool {
	switch path.Ext(name) {
	case ".idx", ".summary":
		return true
	}
	return strings.HasSuffix(name, "/")
}

const (
	// probes is how many lines of an index tell whether it can be searched.
	probes = 32
	// probeSize is what is read to find one of them, in bytes.
	probeSize = 8 << 10
	// minSearched is the size of the smallest index that is searched, in bytes:
	// of a smaller one the probes would be about all.
	minSearched = probes * probeSize
)

// searchable says whether an index is plain text, sorted by keys, and where the
// ranges are made of URLs, by keys of lib/surt: as far as some lines tell. Its
// first line is kept, which may be a header.
func (x *index) searchable(r storage.Reader, byURL bool) bool {
	if r.Size() < minSearched {
		return false
	}
	buffer := make([]byte, probeSize)
	n, err := r.ReadAt(buffer, 0)
	if n < 2 || err != nil && err != io.EOF || string(buffer[:2]) == "\x1f\x8b" {
		return false
	}
	first, _, _ := bytes.Cut(buffer[:n], []byte{'\n'})
	parser := cdx.Parser{}
	var c cdx.Capture
	if errors.Is(parser.Parse(first, &c), cdx.ErrNoCapture) {
		x.header = bytes.Clone(first)
	}
	var last, key []byte
	for i := range int64(probes) {
		line, err := probeAt(r, buffer, i*r.Size()/probes)
		if err != nil {
			return false
		}
		if line == nil || parser.Parse(line, &c) != nil {
			continue
		}
		if len(c.Key) == 0 || !bytes.HasPrefix(line, c.Key) || bytes.Compare(line, last) < 0 {
			return false
		}
		last = append(last[:0], line...)
		if byURL && len(c.Method) == 0 && len(c.URL) > 0 {
			if key = surt.Append(key[:0], c.URL); !bytes.Equal(key, c.Key) {
				return false
			}
		}
	}
	return true
}

// probeAt gives the first line that begins behind an offset; nil where none is near.
func probeAt(r io.ReaderAt, buffer []byte, offset int64) ([]byte, error) {
	n, err := r.ReadAt(buffer, offset)
	if err != nil && err != io.EOF {
		return nil, err
	}
	_, rest, _ := bytes.Cut(buffer[:n], []byte{'\n'})
	line, _, whole := bytes.Cut(rest, []byte{'\n'})
	if !whole {
		return nil, nil
	}
	return line, nil
}

// read1 filters the lines of one index.
func (f *filter) read1(x *index) error {
	f.list = path.Base(strings.TrimSuffix(x.name, "/"))
	parser := &cdx.Parser{}
	if x.cluster == nil {
		return f.scan(parser, x.name)
	}
	if form, ok := cdx.Header(x.header); ok {
		parser.Header = form
	}
	for _, r := range x.ranges {
		for line, err := range x.cluster.Lines(r.From, r.To) {
			var b *zipnum.BlockError
			if errors.As(err, &b) {
				err = f.task.Reject(err.Error(), []byte(x.name))
			} else if err == nil {
				err = f.take(parser, line)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// scan filters all lines of a file.
func (f *filter) scan(parser *cdx.Parser, name string) error {
	r, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer r.Close()
	for line, err := range lines.All(r, f.task.Int("max-line")) {
		if long := (*lines.TooLong)(nil); errors.As(err, &long) {
			if err := f.task.RejectLong(name, long); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := f.take(parser, line); err != nil {
			return err
		}
	}
	return nil
}
