package zipnum

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// What a timestamp is filled up with to 14 digits.
const (
	firstSecond = "10000101000000"
	lastSecond  = "29991231235959"
)

// pad fills a timestamp up; an empty one stays empty.
func pad(timestamp, with string) string {
	if timestamp == "" || len(timestamp) >= len(with) {
		return timestamp
	}
	return timestamp + with[len(timestamp):]
}

// seconds gives a timestamp as seconds since 1970. As in pywb, what is missing of
// it or no number takes its last value, what is out of range the nearest.
func seconds(timestamp []byte) int64 {
	if len(timestamp) < 6 {
		timestamp = append(append(make([]byte, 0, 6), timestamp...), lastSecond[len(timestamp):6]...)
	}
	part := func(from, to, lowest, highest int) int {
		if len(timestamp) < to {
			return highest
		}
		n, err := strconv.Atoi(string(timestamp[from:to]))
		if err != nil {
			return highest
		}
		return min(max(n, lowest), highest)
	}
	year, month := part(0, 4, 1900, 2999), part(4, 6, 1, 12)
	days := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(year, time.Month(month), part(6, 8, 1, days), part(8, 10, 0, 23), part(10, 12, 0, 59),
		part(12, 14, 0, 59), 0, time.UTC).Unix()
}

// A closest keeps the lines whose timestamps are closest to one. Of two that are
// as close, the one that came first is before the other.
type closest struct {
	to    int64 // seconds since 1970
	limit int
	lines []distant // at most 2·limit; the limit closest are among them
	worst int64     // beyond which nothing is added; -1 before there are enough
}

// A distant is a line and its distance in seconds.
type distant struct {
	seconds int64
	line    []byte
}

func newClosest(timestamp string, limit int) *closest {
	return &closest{to: seconds([]byte(timestamp)), limit: limit, worst: -1}
}

// add keeps a copy of the line if it can be among the closest.
func (c *closest) add(line []byte) {
	d := seconds(timestampOf(line)) - c.to
	if d < 0 {
		d = -d
	}
	if c.worst >= 0 && d >= c.worst {
		return
	}
	c.lines = append(c.lines, distant{d, slices.Clone(line)})
	if len(c.lines) >= 2*c.limit {
		c.cut()
	}
}

// cut leaves the limit closest, in order.
func (c *closest) cut() {
	slices.SortStableFunc(c.lines, func(a, b distant) int { return cmp.Compare(a.seconds, b.seconds) })
	if len(c.lines) >= c.limit {
		clear(c.lines[c.limit:])
		c.lines = c.lines[:c.limit]
		c.worst = c.lines[c.limit-1].seconds
	}
}

// drain gives the lines, the closest first, and forgets them.
func (c *closest) drain(put func(line []byte) error) error {
	c.cut()
	defer func() { c.lines, c.worst = c.lines[:0], -1 }()
	for _, d := range c.lines {
		if err := put(d.line); err != nil {
			return err
		}
	}
	return nil
}
