package webgraph

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"archivestream/lib/stage"
)

// The kinds of links.
const (
	Hyperlink = "link"
	NoFollow  = "nofollow"
	Requisite = "requisite"
)

// AppendLink appends a link line without its line end. A page without links has an
// empty to and kind.
func AppendLink(dst []byte, from, to, kind string, n int64) []byte {
	dst = append(append(dst, from...), '\t')
	dst = append(append(dst, to...), '\t')
	dst = append(append(dst, kind...), '\t')
	return strconv.AppendInt(dst, n, 10)
}

// A Level is what the vertices of a graph are.
type Level string

// The levels.
const (
	HostLevel   Level = "host"
	DomainLevel Level = "domain"
)

// ParseLevel takes the value of an option --level.
func ParseLevel(s string) (Level, error) {
	if l := Level(s); l == HostLevel || l == DomainLevel {
		return l, nil
	}
	return "", stage.Usage("--level %s: host or domain is wanted", s)
}

// FoldOptions say which links become edges.
type FoldOptions struct {
	Level      Level
	Hyperlinks bool
	Requisites bool
	NoFollow   bool // links that are marked so as well
}

// A counts adds up numbers by line and gives them out when there are many: what
// a combiner does for Hadoop.
type counts struct {
	task    *stage.Task
	numbers map[string]int64
	line    []byte
}

// combined is how many lines are held.
const combined = 1 << 16

func (c *counts) add(key []byte, n int64) error {
	if _, ok := c.numbers[string(key)]; !ok && len(c.numbers) >= combined {
		if err := c.flush(); err != nil {
			return err
		}
	}
	c.numbers[string(key)] = capped(c.numbers[string(key)], n)
	return nil
}

// capped adds up numbers that are not negative; what is too large stays the largest
// number, in whatever order they are added.
func capped(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (c *counts) flush() error {
	for key, n := range c.numbers {
		c.line = strconv.AppendInt(append(append(c.line[:0], key...), '\t'), n, 10)
		if err := c.task.Write(c.line); err != nil {
			return err
		}
	}
	clear(c.numbers)
	return nil
}

// FoldLinks is the mapper that makes lines FROM TAB TO TAB HOST TAB N of link lines:
// an edge, with an empty HOST, or with an empty TO a vertex and one of its hosts. Their
// key is three fields. Other lines are rejected.
func FoldLinks(t *stage.Task, o FoldOptions) error {
	f := folder{options: o, counts: counts{task: t, numbers: map[string]int64{}}, vertices: map[string]string{}}
	var fields [][]byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		fields = stage.Fields(fields, line, 0)
		n, bad := f.parseLink(fields)
		if bad != nil {
			if err := t.Reject(bad.Error(), line); err != nil {
				return err
			}
			continue
		}
		if err := f.fold(fields, n); err != nil {
			return err
		}
	}
	return f.counts.flush()
}

// parseLink sets f.from and f.to, which is empty for a page without links.
func (f *folder) parseLink(fields [][]byte) (n int64, err error) {
	if len(fields) != 4 {
		return 0, fmt.Errorf("no link line: %d fields", len(fields))
	}
	if f.from, err = f.vertex(fields[0]); err != nil {
		return 0, err
	}
	switch string(fields[2]) {
	case Hyperlink, NoFollow, Requisite:
		if f.to, err = f.vertex(fields[1]); err != nil {
			return 0, err
		}
	case "":
		if f.to = ""; len(fields[1]) > 0 {
			return 0, errors.New("no kind of link")
		}
	default:
		return 0, fmt.Errorf("kind of link %.20q", fields[2])
	}
	n, err = strconv.ParseInt(string(fields[3]), 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("number of links %.20q", fields[3])
	}
	return n, nil
}

type folder struct {
	options  FoldOptions
	counts   counts
	vertices map[string]string // of hosts
	from, to string            // vertices of a link
	key      []byte
}

func (f *folder) fold(fields [][]byte, n int64) error {
	if err := f.present(f.from, fields[0]); err != nil || !f.wanted(fields[2]) {
		return err
	}
	if err := f.present(f.to, fields[1]); err != nil || f.from == f.to {
		return err
	}
	f.key = append(append(append(f.key[:0], f.from...), '\t'), f.to...)
	return f.counts.add(append(f.key, '\t'), n)
}

func (f *folder) wanted(kind []byte) bool {
	switch string(kind) {
	case Hyperlink:
		return f.options.Hyperlinks
	case NoFollow:
		return f.options.Hyperlinks && f.options.NoFollow
	case Requisite:
		return f.options.Requisites
	}
	return false
}

// vertex gives the vertex of a host.
func (f *folder) vertex(host []byte) (string, error) {
	if name, ok := f.vertices[string(host)]; ok {
		return name, nil
	}
	if !isName(host) {
		return "", fmt.Errorf("reversed name of a host %.80q", host)
	}
	if len(f.vertices) >= remembered {
		clear(f.vertices)
	}
	name := string(host)
	if f.options.Level == DomainLevel {
		name = Domain(name)
	}
	f.vertices[string(host)] = name
	return name, nil
}

// present says that a vertex is there, and one of its hosts.
func (f *folder) present(vertex string, host []byte) error {
	f.key = append(append(append(f.key[:0], vertex...), '\t', '\t'), host...)
	return f.counts.add(f.key, 0)
}

// SumLinks is the reducer that adds up the numbers of lines with the same three
// fields.
func SumLinks(t *stage.Task) error {
	var line []byte
	for group, err := range t.Groups(3) {
		if err != nil {
			return err
		}
		sum := int64(0)
		for value, err := range group.Values() {
			if err != nil {
				return err
			}
			n, err := strconv.ParseInt(string(bytes.TrimRight(value, "\t")), 10, 64)
			if err != nil {
				return fmt.Errorf("%q: %w", group.Key, err)
			}
			if n < 0 {
				return fmt.Errorf("%q: number of links %d", group.Key, n)
			}
			sum = capped(sum, n)
		}
		line = strconv.AppendInt(append(append(line[:0], group.Key...), '\t'), sum, 10)
		if err := t.Write(line); err != nil {
			return err
		}
	}
	return nil
}
