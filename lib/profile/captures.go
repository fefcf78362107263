package profile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/tally"
	"archivestream/lib/where"
)

// Captures is the mapper that emits the keys of capture lines with their years and
// statuses; of a line that follows one of the same key and year it adds up. With a
// condition (package where) it leaves out those for which that is false.
func Captures(t *stage.Task, condition string) error {
	m := &mapper{task: t}
	if condition != "" {
		var err error
		if m.where, err = where.CompileCondition(condition, &where.Captures); err != nil {
			return stage.Usage("--where: %v", err)
		}
	}
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
		if errors.Is(err, cdx.ErrNoCapture) {
			continue
		}
		if err == nil {
			err = m.add(&c)
		}
		if m.failed != nil {
			return m.failed
		}
		if err != nil {
			if err := t.Reject(err.Error(), line); err != nil {
				return err
			}
		}
	}
	return m.finish()
}

// A mapper holds the last key and the totals of a task.
type mapper struct {
	task   *stage.Task
	where  *where.Expression // nil: all captures
	record where.Capture

	line    []byte // of the last key, up to its numbers
	next    []byte // of the one being looked at
	numbers [6]int64
	made    []byte // a key that the index does not have
	failed  error  // of the output

	lines, taken, bytes, withoutHost, filtered int64
	first, last                                []byte
}

// maxYear is the last year that a timestamp can have.
const maxYear = 9999

func (m *mapper) add(c *cdx.Capture) error {
	year, err := yearOf(c.Timestamp)
	if err != nil {
		return err
	}
	if m.where != nil {
		m.record.SetCapture(c)
		taken, err := m.where.Match(&m.record)
		if err != nil {
			return err
		}
		if !taken {
			m.lines++
			m.filtered++
			return nil
		}
	}
	key := c.SURT(&m.made)
	if bytes.IndexByte(key, ' ') >= 0 {
		return errors.New("space in the key")
	}
	m.lines++
	host := bytes.IndexByte(key, ')')
	if host <= 0 {
		m.withoutHost++
		return nil
	}
	m.taken++
	m.bytes += max(c.Length, 0)
	if m.first == nil || bytes.Compare(c.Timestamp, m.first) < 0 {
		m.first = append(m.first[:0], c.Timestamp...)
	}
	if bytes.Compare(c.Timestamp, m.last) > 0 {
		m.last = append(m.last[:0], c.Timestamp...)
	}
	m.next = append(appendKey(append(m.next[:0], "key\t"...), key[:host], key[host+1:]), '\t')
	if !bytes.Equal(m.next, m.line) || m.numbers[0] != int64(year) {
		if m.failed = m.flush(); m.failed != nil {
			return nil
		}
		m.line, m.next = m.next, m.line
		m.numbers = [6]int64{int64(year)}
	}
	m.numbers[1]++
	if s := c.Status; len(s) == 3 && s[0] >= '2' && s[0] <= '5' {
		m.numbers[s[0]-'0']++
	}
	return nil
}

// yearOf gives the year of a timestamp.
func yearOf(timestamp []byte) (int, error) {
	digits := 0
	for _, d := range timestamp {
		if d >= '0' && d <= '9' {
			digits++
		}
	}
	if len(timestamp) != 14 || digits != 14 {
		return 0, fmt.Errorf("timestamp %.20q is not one of 14 digits", timestamp)
	}
	return strconv.Atoi(string(timestamp[:4]))
}

// querySeparator stands in front of a query: it sorts before the space, so that a key
// with its queries comes before all keys below it.
const querySeparator = 0x1f

// appendKey appends group and rest of a key: see the package's documentation.
func appendKey(dst, host, path []byte) []byte {
	labels := 0
	for more := true; more; labels++ {
		label := host
		if i := bytes.IndexByte(host, ','); i >= 0 {
			label, host = host[:i], host[i+1:]
		} else {
			more = false
		}
		switch labels {
		case 0:
		case 2:
			dst = append(dst, '\t')
		default:
			dst = append(dst, ' ')
		}
		dst = stage.AppendEscaped(dst, label)
	}
	if labels > 2 {
		dst = append(dst, " )"...)
	} else {
		dst = append(dst, "\t)"...)
	}
	path, query, hasQuery := bytes.Cut(path, []byte("?"))
	if len(path) > 0 && path[0] == '/' {
		path = path[1:]
	}
	for len(path) > 0 {
		segment, rest, more := bytes.Cut(path, []byte("/"))
		dst = stage.AppendEscaped(append(dst, ' '), segment)
		if path = rest; more && len(rest) == 0 {
			dst = append(dst, ' ') // it ended in a slash
		}
	}
	if hasQuery {
		dst = stage.AppendEscaped(append(dst, querySeparator), query)
	}
	return dst
}

func (m *mapper) flush() error {
	if m.numbers[1] == 0 {
		return nil
	}
	m.line = tally.AppendNumbers(m.line, m.numbers[:]...)
	return m.task.Write(m.line)
}

func (m *mapper) finish() error {
	if err := m.flush(); err != nil {
		return err
	}
	m.task.Count("captures", m.lines)
	var counts tally.Counts
	for name, n := range map[string]int64{
		"lines": m.lines, "urims": m.taken, "bytes": m.bytes, "without_host": m.withoutHost, "filtered": m.filtered,
	} {
		counts.Add(tally.Key{Table: "total", Row: name}, n)
	}
	for _, timestamp := range [][]byte{m.first, m.last} {
		if timestamp != nil {
			counts.Add(tally.Key{Table: "span", Row: string(timestamp)}, 1)
		}
	}
	return counts.Emit(m.task)
}
