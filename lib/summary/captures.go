package summary

import (
	"bytes"
	"errors"
	"fmt"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/surt"
	"archivestream/lib/tally"
)

// Captures is the mapper that makes a partial summary of capture lines.
func Captures(t *stage.Task, samples int) error {
	m := &mapper{task: t, samples: newSampler(samples), types: map[string]int{}}
	err := captures(t, m.add)
	if err != nil {
		return err
	}
	return m.finish()
}

// EachURL is the mapper that emits the keys of capture lines, for a number of
// different ones that does not depend on the order of the lines. It rejects nothing:
// Captures has done so.
func EachURL(t *stage.Task) error {
	t.Again()
	var k keys
	var line, last []byte
	add := func(c *cdx.Capture) error {
		host, rest, err := k.of(c)
		if err != nil {
			return err
		}
		line = append(line[:0], "each\t"...)
		line = append(stage.AppendEscaped(line, host), '\t')
		line = append(stage.AppendEscaped(line, rest), "\t1"...)
		if bytes.Equal(line, last) {
			return nil
		}
		last = append(last[:0], line...)
		if err := t.Write(line); err != nil {
			return &writeError{err}
		}
		return nil
	}
	err := captures(t, add)
	if err != nil {
		return err
	}
	// The reducer is to have some input.
	return t.Write(tally.AppendLine(nil, tally.Key{Table: "total", Row: "urls", Column: "each"}, 0))
}

// captures gives each capture line of the input to add, and rejects what it does not like.
func captures(t *stage.Task, add func(c *cdx.Capture) error) error {
	parser, err := cdx.NewParser(t)
	if err != nil {
		return err
	}
	var c cdx.Capture
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		err := parser.Parse(line, &c)
		if err == nil {
			err = add(&c)
		} else if errors.Is(err, cdx.ErrNoCapture) {
			continue
		}
		var write *writeError
		switch {
		case errors.As(err, &write):
			return write.error
		case err != nil:
			if err := t.Reject(err.Error(), line); err != nil {
				return err
			}
		}
	}
	return nil
}

// keys gives the keys of captures, in an index without SURT keys by their URLs.
type keys struct{ made []byte }

// of gives the host of the capture's key, nil if it has none, and what stands behind
// the parenthesis.
func (k *keys) of(c *cdx.Capture) (host, rest []byte, err error) {
	if _, _, err := yearMonth(c.Timestamp); err != nil {
		return nil, nil, err
	}
	key := c.Key
	if bytes.IndexByte(key, ')') < 0 && bytes.Contains(c.URL, []byte("://")) {
		k.made = surt.Append(k.made[:0], c.URL)
		key = k.made
	}
	if len(key) == 0 {
		return nil, nil, errors.New("no key and no url")
	}
	if i := bytes.IndexByte(key, ')'); i > 0 {
		return key[:i], key[i+1:], nil
	}
	return nil, key, nil
}

// A writeError is one of the output, not of the capture.
type writeError struct{ error }

// A mapper holds what is counted by a task. All but the run and the samples are
// numbers in tables of fixed size.
type mapper struct {
	task            *stage.Task
	captures, bytes int64
	first, last     []byte
	mimestatus      [13][5]int64
	pathquery       [6][6]int64
	years           [10000][]int64 // of twelve months, where there are captures
	types           map[string]int // groups of media types that have been met
	run             run
	samples         *sampler
	keys            keys
	line            []byte
}

func (m *mapper) add(c *cdx.Capture) error {
	year, month, err := yearMonth(c.Timestamp)
	if err != nil {
		return err
	}
	host, rest, err := m.keys.of(c)
	if err != nil {
		return err
	}
	m.captures++
	m.bytes += max(c.Length, 0)
	if m.first == nil || bytes.Compare(c.Timestamp, m.first) < 0 {
		m.first = append(m.first[:0], c.Timestamp...)
	}
	if bytes.Compare(c.Timestamp, m.last) > 0 {
		m.last = append(m.last[:0], c.Timestamp...)
	}
	if m.years[year] == nil {
		m.years[year] = make([]int64, 12)
	}
	m.years[year][month-1]++
	m.mimestatus[m.typeOf(c.Mime)][statusGroup(c.Status)]++
	var path, query []byte
	if host != nil {
		path, query, _ = bytes.Cut(rest, []byte("?"))
	}
	m.pathquery[segments(path, '/')][segments(query, '&')]++
	m.samples.capture(c, path)
	return m.addRun(host, rest)
}

// yearMonth gives the year and the month, 1 to 12, of a timestamp.
func yearMonth(timestamp []byte) (year, month int, err error) {
	ok := len(timestamp) == 14
	for _, d := range timestamp {
		ok = ok && d >= '0' && d <= '9'
	}
	if ok {
		for _, d := range timestamp[:4] {
			year = year*10 + int(d-'0')
		}
		month = int(timestamp[4]-'0')*10 + int(timestamp[5]-'0')
	}
	if !ok || month < 1 || month > 12 {
		return 0, 0, fmt.Errorf("timestamp %.20q is not one of 14 digits", timestamp)
	}
	return year, month, nil
}

// maxTypes is how many media types are remembered with their group.
const maxTypes = 10000

func (m *mapper) typeOf(mime []byte) int {
	group, known := m.types[string(mime)]
	if !known {
		group = typeGroup(string(mime))
		if len(m.types) < maxTypes {
			m.types[string(mime)] = group
		}
	}
	return group
}

// A run is captures of one host, sorted by key.
type run struct {
	open           bool
	host           []byte // empty of keys without host
	first, last    []byte // keys, behind the host
	captures, urls int64
}

func (m *mapper) addRun(host, rest []byte) error {
	r := &m.run
	order := -1
	if r.open && bytes.Equal(host, r.host) {
		order = bytes.Compare(rest, r.last)
	}
	if !r.open || order < 0 {
		if err := m.flush(); err != nil {
			return &writeError{err}
		}
		r.open = true
		r.host = append(r.host[:0], host...)
		r.first = append(r.first[:0], rest...)
		order = 1
	}
	r.captures++
	if order > 0 {
		r.urls++
		r.last = append(r.last[:0], rest...)
	}
	return nil
}

// flush emits the run.
func (m *mapper) flush() error {
	r := &m.run
	if !r.open {
		return nil
	}
	b := append(m.line[:0], "host\t"...)
	b = append(stage.AppendEscaped(b, r.host), '\t')
	b = append(stage.AppendEscaped(b, r.first), ' ')
	b = append(stage.AppendEscaped(b, r.last), '\t')
	m.line = tally.AppendNumbers(b, r.captures, r.urls)
	r.open, r.captures, r.urls = false, 0, 0
	return m.task.Write(m.line)
}

// finish emits what has been counted.
func (m *mapper) finish() error {
	if err := m.flush(); err != nil {
		return err
	}
	m.task.Count("captures", m.captures)
	var counts tally.Counts
	// Also of no capture: the reducer is to have some input.
	counts.Add(tally.Key{Table: "total", Row: "captures"}, m.captures)
	counts.Add(tally.Key{Table: "total", Row: "bytes"}, m.bytes)
	for _, timestamp := range [][]byte{m.first, m.last} {
		if timestamp != nil {
			counts.Add(tally.Key{Table: "span", Row: string(timestamp)}, 1)
		}
	}
	addAll(&counts, "mimestatus", Types, Statuses, func(i, j int) int64 { return m.mimestatus[i][j] })
	addAll(&counts, "pathquery", Paths, Queries, func(i, j int) int64 { return m.pathquery[i][j] })
	for year, months := range m.years {
		for month, n := range months {
			if n > 0 {
				counts.Add(tally.Key{Table: "yearmonth", Row: fmt.Sprintf("%04d", year), Column: fmt.Sprintf("%02d", month+1)}, n)
			}
		}
	}
	if err := counts.Emit(m.task); err != nil {
		return err
	}
	return m.samples.emit(m.task)
}

func addAll(counts *tally.Counts, table string, rows, columns []string, of func(i, j int) int64) {
	for i, row := range rows {
		for j, column := range columns {
			if n := of(i, j); n > 0 {
				counts.Add(tally.Key{Table: table, Row: row, Column: column}, n)
			}
		}
	}
}
