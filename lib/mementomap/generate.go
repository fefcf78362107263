package mementomap

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/lines"
	"archivestream/lib/ranges"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/surt"
	"archivestream/lib/where"
)

// CountOptions say what CountCaptures counts.
type CountOptions struct {
	Where      string // condition on captures (package where); "": all
	SkipRobots bool   // leave out robots.txt and sitemap.xml of hosts
	Absent     bool   // make exclusions of what access logs tell to be absent
	Blocked    string // list of keys or URIs that become exclusions; "": none
	Ranges     string // ranges file (package ranges); "": one range
	Reducers   int
	Roll       map[string]bool // hosts within which ranges are not cut
	Sample     float64         // over 0: emit the registered domains of so large a share of the lines instead
}

// Kinds of lines that go to AddCounts, in the order in which it wants them: each
// begins the third field.
const (
	kindCapture   = 'c' // what is behind the key in the capture's SURT follows; the value is the number of captures
	kindExclusion = 'e'
	kindMap       = 'm' // the value is a line of a map without its key
)

// CountCaptures is the mapper that makes keys of captures: index lines, lines of
// access logs and those of other maps. It emits
//
//	WORD TAB KEY TAB KIND TAB VALUE
//
// WORD sends the line to the reducer of its range. Captures of one SURT behind each
// other are counted at once.
//
// A line of an access log is a URI and a status, separated by a tab or a space, or
// one in the common log format whose request has the URI in it.
func CountCaptures(t *stage.Task, o CountOptions) error {
	c := &counter{CountOptions: o, task: t, words: ranges.Words(max(o.Reducers, 1))}
	if err := c.open(); err != nil {
		return err
	}
	if o.Blocked != "" && pathOf(t.InputFile()) == pathOf(o.Blocked) {
		return c.exclude()
	}
	if o.Sample > 0 {
		t.Again()
	}
	sampler := ranges.NewSampler(o.Sample)
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if o.Sample > 0 && !sampler.Picks(line) {
			if _, header := cdx.Header(line); !header {
				continue
			}
		}
		if err := c.take(line); err != nil {
			return err
		}
	}
	return c.flush()
}

// pathOf gives a path without scheme and host, which engines add to it.
func pathOf(name string) string {
	if _, rest, isURI := strings.Cut(name, "://"); isURI {
		_, name, _ = strings.Cut(rest, "/")
	}
	return "/" + strings.TrimLeft(strings.TrimPrefix(name, "file:"), "/")
}

type counter struct {
	CountOptions
	task    *stage.Task
	parser  *cdx.Parser
	where   *where.Expression
	record  where.Capture
	capture cdx.Capture
	blocked map[string]bool
	ranges  *ranges.Ranges
	words   []string

	key, rest, surt   []byte
	lastKey, lastRest []byte
	count             int64
	line, number      []byte
}

func (c *counter) open() error {
	var err error
	if c.Where != "" {
		if c.where, err = where.CompileCondition(c.Where, &where.Captures); err != nil {
			return stage.Usage("--where: %v", err)
		}
	}
	if c.parser, err = cdx.NewParser(c.task); err != nil {
		return err
	}
	if c.blocked, err = c.readBlocked(); err != nil {
		return err
	}
	text := []byte(nil)
	if c.Ranges != "" {
		if text, err = readAll(c.Ranges); err != nil {
			return err
		}
	}
	if c.ranges, err = ranges.Read(bytes.NewReader(text)); err != nil {
		return fmt.Errorf("%s: %w", c.Ranges, err)
	}
	if c.ranges.Len() > len(c.words) {
		return stage.Usage("%d ranges for %d reducers", c.ranges.Len(), len(c.words))
	}
	return nil
}

// take takes a line of whatever kind.
func (c *counter) take(line []byte) error {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if len(line) == 0 || IsHeader(line) {
		return nil
	}
	if uri, status, ok := logLine(line); ok {
		return c.request(line, uri, status)
	}
	err := c.parser.Parse(line, &c.capture)
	switch {
	case errors.Is(err, cdx.ErrNoCapture):
		return nil
	case err == nil:
		return c.captured(line)
	}
	key, value, _ := bytes.Cut(line, []byte{' '})
	var l Line
	if DefaultFields().Parse(line, &l) == nil && len(l.Values) > 0 && !hasControl(key) {
		return c.merge(key, value, l.Frequency)
	}
	c.task.Count("malformed lines", 1)
	return c.task.Reject("malformed line: "+err.Error(), line)
}

// merge takes a line of a map.
func (c *counter) merge(key, value []byte, f Frequency) error {
	c.key = AppendMapKey(c.key[:0], key)
	if len(c.key) == 0 || f.IsZero() && hasQuery(key) {
		// Of one URI with a query nothing is known of the others of its key.
		c.task.Count("lines of maps that tell nothing", 1)
		return nil
	}
	if c.covers(c.key) {
		c.task.Count("blocked", 1)
		return nil
	}
	c.task.Count("lines of maps", 1)
	if err := c.flush(); err != nil {
		return err
	}
	return c.emit(c.key, []byte{kindMap}, value)
}

// captured takes a line of an index.
func (c *counter) captured(line []byte) error {
	if c.where != nil {
		c.record.SetCapture(&c.capture)
		ok, err := c.where.Match(&c.record)
		if err != nil {
			return c.task.Reject("--where: "+err.Error(), line)
		}
		if !ok {
			c.task.Count("left out by --where", 1)
			return nil
		}
	}
	return c.add(c.capture.SURT(&c.surt), line)
}

// add counts a capture by its SURT.
func (c *counter) add(surt, line []byte) error {
	c.key = AppendKey(c.key[:0], surt)
	if len(c.key) == 0 {
		c.task.Count("malformed lines", 1)
		return c.task.Reject("malformed line: no key", line)
	}
	if c.SkipRobots && isRobots(c.key) {
		c.task.Count("robots.txt and sitemap.xml", 1)
		return nil
	}
	if c.covers(c.key) {
		c.task.Count("blocked", 1)
		return nil
	}
	c.task.Count("captures", 1)
	c.rest = stage.AppendEscaped(append(c.rest[:0], kindCapture), surt[cutAt(surt):])
	if c.count > 0 && bytes.Equal(c.key, c.lastKey) && bytes.Equal(c.rest, c.lastRest) {
		c.count++
		return nil
	}
	if err := c.flush(); err != nil {
		return err
	}
	c.lastKey, c.lastRest, c.count = append(c.lastKey[:0], c.key...), append(c.lastRest[:0], c.rest...), 1
	return nil
}

// flush emits the captures of the last SURT.
func (c *counter) flush() error {
	if c.count == 0 {
		return nil
	}
	c.number = strconv.AppendInt(c.number[:0], c.count, 10)
	c.count = 0
	return c.emit(c.lastKey, c.lastRest, c.number)
}

func (c *counter) emit(key, kind, value []byte) error {
	if c.Sample > 0 {
		c.line = stage.AppendEscaped(c.line[:0], group(key, c.Roll))
		return c.task.Emit(c.line)
	}
	return c.task.Emit([]byte(c.words[c.ranges.Of(key)]), key, kind, value)
}

// request takes a line of an access log.
func (c *counter) request(line, uri []byte, status int) error {
	c.surt = surt.Append(c.surt[:0], uri)
	switch {
	case status >= 200 && status < 400:
		c.task.Count("requests for what is there", 1)
		return c.add(c.surt, line)
	case c.Absent && (status == 404 || status == 410):
		c.task.Count("requests for what is absent", 1)
		if err := c.flush(); err != nil {
			return err
		}
		// Of a URI with a query nothing is known of the others of its key.
		if cutAt(c.surt) < len(bytes.TrimRight(c.surt, "/")) {
			return nil
		}
		c.key = AppendKey(c.key[:0], c.surt)
		return c.emit(c.key, []byte{kindExclusion}, nil)
	}
	c.task.Count("requests that tell nothing", 1)
	return nil
}

// exclude emits the lines of the blocked list, which is the task's input.
func (c *counter) exclude() error {
	for line, err := range c.task.Lines() {
		if err != nil {
			return err
		}
		key := blockedKey(line)
		if len(key) == 0 {
			continue
		}
		c.task.Count("exclusions", 1)
		if err := c.emit(key, []byte{kindExclusion}, nil); err != nil {
			return err
		}
	}
	return nil
}

// readBlocked reads the list of what is blocked.
func (c *counter) readBlocked() (map[string]bool, error) {
	if c.Blocked == "" {
		return nil, nil
	}
	f, err := storage.OpenStream(c.Blocked)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	blocked := map[string]bool{}
	for line, err := range lines.All(f, 0) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Blocked, err)
		}
		if key := blockedKey(line); len(key) > 0 {
			blocked[string(key)] = true
		}
	}
	return blocked, nil
}

// blockedKey gives the key that a line of a blocked list means: a key or wildcard,
// as in a map, whose frequency does not count, or a URI.
func blockedKey(line []byte) []byte {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || IsHeader(line) {
		return nil
	}
	if bytes.Contains(line, []byte("://")) {
		return AppendKey(nil, surt.Append(nil, line))
	}
	key, _, _ := bytes.Cut(line, []byte{' '})
	return AppendMapKey(nil, key)
}

// covers says whether a key is blocked.
func (c *counter) covers(key []byte) bool {
	if len(c.blocked) == 0 {
		return false
	}
	if c.blocked[string(key)] || c.blocked["*"] {
		return true
	}
	host := hostEnd(key)
	if host < 0 {
		if !bytes.HasSuffix(key, []byte(",*")) {
			return false
		}
		host = len(key) - len(",*") // a host's wildcard, of another map
		key = key[:host]
	}
	for end := len(key); end > host; end = bytes.LastIndexByte(key[:end], '/') {
		c.line = append(append(c.line[:0], key[:end]...), "/*"...)
		if c.blocked[string(c.line)] {
			return true
		}
	}
	for end := host; end > 0; end = bytes.LastIndexByte(key[:end], ',') {
		c.line = append(append(c.line[:0], key[:end]...), ",*"...)
		if c.blocked[string(c.line)] {
			return true
		}
	}
	return false
}

// cutAt gives where what is no part of a key begins in a SURT.
func cutAt(surt []byte) int {
	if i := bytes.IndexAny(surt, "?#"); i >= 0 {
		surt = surt[:i]
	}
	return len(bytes.TrimRight(surt, "/"))
}

// isRobots says whether a key is that of a host's robots.txt or sitemap.xml.
func isRobots(key []byte) bool {
	i := hostEnd(key)
	if i < 0 {
		return false
	}
	switch string(key[i+1:]) {
	case "/robots.txt", "/sitemap.xml":
		return true
	}
	return false
}

// isStatus says whether a status is one of HTTP, or not there.
func isStatus(status []byte) bool {
	if len(status) == 0 {
		return true
	}
	return len(status) == 3 && status[0] >= '1' && status[0] <= '9' && status[1]-'0' <= 9 && status[2]-'0' <= 9
}
