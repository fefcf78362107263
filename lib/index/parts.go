package index

import (
	"io"
	"sync"

	"archivestream/lib/buffers"
	"archivestream/lib/cdx"
	"archivestream/lib/warc"
)

// partSize is how much of an archive file one goroutine reads at a time, in bytes.
// What it finds is held until all before it has been given out.
const partSize = 8 << 20

// A found is what was found in a part of an archive file.
type found struct {
	from, to, next int64
	lines, side    []byte // index lines, each with its line feed
	faults         []fault
	counts         map[string]int64
	err            error
	done           chan struct{}
}

type fault struct {
	offset   int64
	reason   string
	harmless bool
}

// A partReader reads parts of an archive file.
type partReader struct {
	indexer *Indexer
	layouts [2]cdx.Layout // of lines and side
	into    *found
}

func newPartReader(o MapperOptions) *partReader {
	p := &partReader{layouts: [2]cdx.Layout{o.Layout, o.PerFile}}
	p.indexer = New(o.Options, Sink{
		Capture: func(c *cdx.Capture) error {
			p.into.lines = append(p.layouts[0].Append(p.into.lines, c), '\n')
			if p.layouts[1] != "" {
				p.into.side = append(p.layouts[1].Append(p.into.side, c), '\n')
			}
			return nil
		},
		Fault: func(offset int64, reason string) error {
			p.into.faults = append(p.into.faults, fault{offset, reason, false})
			return nil
		},
		Warn: func(offset int64, reason string) error {
			p.into.faults = append(p.into.faults, fault{offset, reason, true})
			return nil
		},
		Count: func(name string, n int64) { p.into.counts[name] += n },
	})
	return p
}

func (p *partReader) read(a archive, f *found) {
	p.into = f
	buffers.Spoil(f.lines)
	buffers.Spoil(f.side)
	f.lines, f.side, f.faults, f.counts = f.lines[:0], f.side[:0], nil, map[string]int64{}
	f.next, f.err = p.indexer.part(a.file, a.size, a.path, a.name, f.from, f.to)
}

// An archive is an archive file that is being indexed.
type archive struct {
	file io.ReaderAt
	size int64
	path string // for messages
	name string // in the index
	part int64  // size of a part, in bytes
}

// isCompressed says whether the file begins with a gzip member.
func (a archive) isCompressed() bool {
	var magic [2]byte
	n, _ := a.file.ReadAt(magic[:], 0)
	return n == 2 && magic == [2]byte{0x1f, 0x8b}
}

// inParts indexes an archive file with several goroutines and gives out what each
// part has, in the order of the file. A part begins where a gzip member seems to;
// if the one before does not end there, as within an archive file that is itself a
// record, it is read again from where that one ends.
func (a archive) inParts(workers []*partReader, give func(*found) error) error {
	work := make(chan *found)
	ordered := make(chan *found, len(workers))
	stop := make(chan struct{})
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() {
			for f := range work {
				w.read(a, f)
				close(f.done)
			}
		})
	}
	all.Go(func() {
		defer close(ordered)
		defer close(work)
		for from := int64(0); from < a.size; {
			to, err := warc.FindMember(a.file, a.size, min(from+a.part, a.size))
			f := &found{from: from, to: to, err: err, done: make(chan struct{})}
			select {
			case ordered <- f:
			case <-stop:
				return
			}
			if err != nil {
				close(f.done)
				return
			}
			work <- f
			from = to
		}
	})
	err := a.inOrder(ordered, give, &workers[0].layouts, workers[0].indexer.options)
	close(stop)
	for f := range ordered {
		<-f.done
	}
	all.Wait()
	return err
}

// inOrder gives out the parts, each from where the one before has ended.
func (a archive) inOrder(parts <-chan *found, give func(*found) error, layouts *[2]cdx.Layout, o Options) error {
	var again *partReader
	next := int64(0)
	for f := range parts {
		<-f.done
		if f.err == nil && f.from != next {
			if next >= f.to {
				continue
			}
			if again == nil {
				again = newPartReader(MapperOptions{Options: o, Layout: layouts[0], PerFile: layouts[1]})
			}
			f.from = next
			again.read(a, f)
		}
		if err := give(f); err != nil {
			return err
		}
		if f.err != nil {
			return f.err
		}
		next = f.next
	}
	return nil
}
