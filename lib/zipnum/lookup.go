package zipnum

import (
	"bytes"
	"errors"
	"iter"
	"path"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/surt"
)

// LookupOptions say what Lookup looks for. Timestamps have up to 14 digits; those
// of From are filled up as pywb does it to the first second that they can mean,
// those of To and Closest to the last.
type LookupOptions struct {
	Indexes  []string // paths or URIs for Open, folders of such files, globs
	Open     Options
	Match    surt.Match // "": exact, or what a wildcard in the URL says
	From, To string     // timestamps, both included
	Closest  string     // orders the captures of a URL by their distance from it
	Limit    int        // lines for each URL; 0: all
	Keys     bool       // the input has SURT keys, not URLs
	Missing  bool       // reject URLs that have no capture
}

// maxClosest is the limit of lines that are ordered by their distance where no
// lower one is given: they lie in memory. It is pywb's.
const maxClosest = 100_000

// Lookup is the stage that finds the index lines of URLs: one URL in a line of
// the input, or a SURT key and anything behind a tab with Keys. The lines of
// several indexes are merged. A block that cannot be read is rejected for each
// URL that needs it; the lines of other blocks are given.
func Lookup(t *stage.Task, o LookupOptions) error {
	l, err := newLookup(t, o)
	if err != nil {
		return err
	}
	defer l.close()
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			continue
		}
		if err := l.find(line); err != nil {
			return Hint(err)
		}
	}
	return nil
}

type lookup struct {
	LookupOptions
	task     *stage.Task
	clusters []*Cluster
	closest  *closest
}

func newLookup(t *stage.Task, o LookupOptions) (*lookup, error) {
	switch o.Match {
	case "", surt.Exact, surt.Prefix, surt.Host, surt.Domain:
	default:
		return nil, stage.Usage("--match %q: exact, prefix, host or domain is wanted", o.Match)
	}
	for _, timestamp := range []string{o.From, o.To, o.Closest} {
		if len(timestamp) > 14 || !digits([]byte(timestamp)) {
			return nil, stage.Usage("timestamp %q: up to 14 digits are wanted", timestamp)
		}
	}
	if o.Limit < 0 {
		return nil, stage.Usage("--limit %d: a number from 0 is wanted", o.Limit)
	}
	l := &lookup{LookupOptions: o, task: t}
	l.From, l.To = pad(o.From, firstSecond), pad(o.To, lastSecond)
	if o.Closest != "" {
		limit := o.Limit
		if limit == 0 {
			limit = maxClosest
		}
		l.closest = newClosest(o.Closest, limit)
	}
	return l, l.open()
}

// open opens the indexes.
func (l *lookup) open() error {
	var names []string
	for _, i := range l.Indexes {
		found, err := Indexes(i)
		if err != nil {
			return err
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return stage.Usage("no index to look into: --index PATH is needed")
	}
	for _, name := range names {
		c, err := openShared(name, l.Open, len(names))
		if err != nil {
			l.close()
			return err
		}
		l.clusters = append(l.clusters, c)
	}
	return nil
}

// Indexes gives the indexes that a path means, each for Open: a folder's
// cluster.idx, its other files with that ending, or all its files.
func Indexes(name string) ([]string, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return []string{name}, nil
	}
	files, err := storage.Expand(name)
	if err != nil {
		return nil, err
	}
	var all, idx []string
	for _, f := range files {
		all = append(all, f.Path)
		switch {
		case f.Name() == "cluster.idx":
			return []string{f.Path}, nil
		case path.Ext(f.Path) == ".idx":
			idx = append(idx, f.Path)
		}
	}
	if len(idx) > 0 {
		return idx, nil
	}
	return all, nil
}

func (l *lookup) close() {
	for _, c := range l.clusters {
		c.Close()
	}
}

// find writes the lines of one URL.
func (l *lookup) find(line []byte) error {
	ranges, err := l.ranges(string(line))
	if err != nil {
		return l.task.Reject(err.Error(), line)
	}
	written := 0
	put := func(line []byte) error {
		written++
		return l.task.Write(line)
	}
	damaged := map[string]bool{}
	for _, r := range ranges {
		for found, err := range l.lines(r.From, r.To) {
			var b *BlockError
			switch {
			case errors.As(err, &b):
				if damaged[err.Error()] {
					continue // several ranges can lie in one block
				}
				damaged[err.Error()] = true
				err = l.task.Reject(err.Error(), line)
			case err == nil && r.Has(found) && l.inTime(found):
				err = l.take(found, put)
			}
			if err != nil {
				return err
			}
			if written > 0 && written == l.Limit {
				return l.count(line, written, false)
			}
		}
	}
	if l.closest != nil {
		if err := l.closest.drain(put); err != nil {
			return err
		}
	}
	return l.count(line, written, len(damaged) > 0)
}

func (l *lookup) take(line []byte, put func([]byte) error) error {
	if l.closest != nil {
		l.closest.add(line)
		return nil
	}
	return put(line)
}

// count tells what became of a URL.
func (l *lookup) count(line []byte, written int, damaged bool) error {
	l.task.Count("captures", int64(written))
	switch {
	case written > 0:
		l.task.Count("found", 1)
	case !damaged:
		l.task.Count("without a capture", 1)
		if l.Missing {
			return l.task.Reject("no capture", line)
		}
	}
	return nil
}

// ranges returns the ranges of lines of a URL or key.
func (l *lookup) ranges(text string) ([]surt.Range, error) {
	if l.Keys {
		text, _, _ = strings.Cut(text, "\t")
	}
	match := l.Match
	if match == "" {
		match = surt.Exact
		if rest, ok := strings.CutPrefix(text, "*."); ok && !l.Keys {
			text, match = rest, surt.Domain
		} else if rest, ok := strings.CutSuffix(text, "*"); ok {
			text, match = rest, surt.Prefix
		}
	}
	find := surt.Ranges
	if l.Keys {
		find = surt.KeyRanges
	}
	ranges, err := find(text, match)
	if err == nil && match == surt.Exact { // all lines have one key
		r := &ranges[0]
		key := r.From
		if l.From != "" {
			r.From = key + " " + l.From
		}
		if l.To != "" {
			r.To = key + " " + l.To + "!"
		}
	}
	return ranges, err
}

// inTime says whether a line's timestamp lies between From and To.
func (l *lookup) inTime(line []byte) bool {
	if l.From == "" && l.To == "" {
		return true
	}
	timestamp := timestampOf(line)
	return (l.From == "" || string(timestamp) >= l.From) && (l.To == "" || string(timestamp) <= l.To)
}

func timestampOf(line []byte) []byte {
	_, rest, _ := bytes.Cut(line, []byte{' '})
	timestamp, _, _ := bytes.Cut(rest, []byte{' '})
	return timestamp
}

// lines merges the lines of all indexes.
func (l *lookup) lines(from, to string) iter.Seq2[[]byte, error] {
	if len(l.clusters) == 1 {
		return l.clusters[0].Lines(from, to)
	}
	return func(yield func([]byte, error) bool) {
		var heads []head
		defer func() {
			for _, h := range heads {
				h.stop()
			}
		}()
		for _, c := range l.clusters {
			h := head{}
			h.next, h.stop = iter.Pull2(c.Lines(from, to))
			heads = append(heads, h)
			if !heads[len(heads)-1].advance(yield) {
				return
			}
		}
		for {
			least := -1
			for i := range heads {
				if !heads[i].done && (least < 0 || bytes.Compare(heads[i].line, heads[least].line) < 0) {
					least = i
				}
			}
			if least < 0 || !yield(heads[least].line, nil) || !heads[least].advance(yield) {
				return
			}
		}
	}
}

// A head is the next line of one index.
type head struct {
	line []byte
	done bool
	next func() ([]byte, error, bool)
	stop func()
}

// advance goes to the next line; errors on the way are yielded.
func (h *head) advance(yield func([]byte, error) bool) bool {
	for {
		line, err, ok := h.next()
		h.line, h.done = line, !ok
		if !ok || err == nil {
			return true
		}
		if !yield(nil, err) {
			return false
		}
	}
}
