package mapeval

import (
	"bytes"
	"errors"
	"strconv"

	"archivestream/lib/cdx"
	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
	"archivestream/lib/surt"
	"archivestream/lib/where"
)

// KeyLookups is the mapper that gives URIs their keys.
func KeyLookups(t *stage.Task) error {
	var key []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); len(line) == 0 {
			continue
		}
		key = surt.Append(key[:0], line)
		if err := t.Emit([]byte("lookup"), key); err != nil {
			return err
		}
		t.Count("lookups", 1)
	}
	return nil
}

// TruthOptions say what the truth is.
type TruthOptions struct {
	ByKey bool   // keys without queries
	Where string // condition on captures (package where); "": all are held
}

// errWildcard and the others are why a line of the truth is rejected.
var (
	errWildcard = errors.New("a wildcard does not tell which URIs there are")
	errMap      = errors.New("a map knows no queries: --by key is wanted")
)

// Truth is the mapper that brings lookups, of KeyLookups, and the truth together: index
// lines (CDX, CDXJ) or a map in UKVS without wildcards.
func Truth(t *stage.Task, o TruthOptions) error {
	m := &truth{task: t, TruthOptions: o}
	var err error
	if m.parser, err = cdx.NewParser(t); err != nil {
		return err
	}
	if o.Where != "" {
		if m.where, err = where.CompileCondition(o.Where, &where.Captures); err != nil {
			return stage.Usage("--where: %v", err)
		}
	}
	read := int64(0)
	defer func() { t.Count("lines of the truth", read) }()
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		key, kind, uris, err := m.key(line)
		if err == nil && kind != "l" && len(line) > 0 && line[0] != '!' {
			read++
		}
		if err == nil && len(key) > 0 {
			err = m.emit(key, kind, uris)
			if err != nil {
				return err
			}
			continue
		}
		if err != nil && !errors.Is(err, cdx.ErrNoCapture) {
			if err := t.Reject(err.Error(), line); err != nil {
				return err
			}
		}
	}
	return nil
}

type truth struct {
	TruthOptions
	task    *stage.Task
	where   *where.Expression // nil: all captures
	parser  *cdx.Parser
	capture cdx.Capture
	record  where.Capture
	short   []byte // a key without query
	made    []byte
	escaped []byte
	last    []byte // key of the last line of the truth
	number  []byte
}

// key gives the key of a line, whether it is a lookup (l) or of the truth (t), and of
// how many URI-Rs; no key of what is left out.
func (m *truth) key(line []byte) (key []byte, kind string, uris int64, err error) {
	if rest, ok := bytes.CutPrefix(line, []byte("lookup\t")); ok {
		return m.cut(rest), "l", 0, nil
	}
	if len(line) == 0 || line[0] == '!' {
		return nil, "", 0, nil
	}
	if key, value, ok := bytes.Cut(line, []byte(" ")); ok {
		value, object, _ := bytes.Cut(value, []byte(" "))
		f, isMap := mementomap.ParseFrequency(value)
		if isMap && !isTimestamp(value) && (len(object) == 0 || object[0] == '{') {
			return m.ofMap(key, f)
		}
	}
	if err := m.parser.Parse(line, &m.capture); err != nil {
		return nil, "", 0, err
	}
	if m.where != nil {
		m.record.SetCapture(&m.capture)
		if taken, err := m.where.Match(&m.record); err != nil || !taken {
			return nil, "", 0, err
		}
	}
	return m.cut(m.capture.SURT(&m.made)), "t", 1, nil
}

// isTimestamp says whether a field is one of 14 digits.
func isTimestamp(field []byte) bool {
	for _, d := range field {
		if d < '0' || d > '9' {
			return false
		}
	}
	return len(field) == 14
}

func (m *truth) ofMap(key []byte, f mementomap.Frequency) ([]byte, string, int64, error) {
	switch {
	case !m.ByKey:
		return nil, "", 0, errMap
	case bytes.HasSuffix(key, []byte("*")):
		return nil, "", 0, errWildcard
	case !f.Present():
		return nil, "", 0, nil
	}
	uris := int64(1)
	if c := f.URIs(); c.Known && c.N > 0 {
		uris = c.N
	}
	return m.cut(key), "t", uris, nil
}

// cut takes the query away where keys are asked for.
func (m *truth) cut(key []byte) []byte {
	if !m.ByKey {
		return key
	}
	m.short = mementomap.AppendKey(m.short[:0], key)
	return m.short
}

// emit writes a line; captures of one key that follow each other are one.
func (m *truth) emit(key []byte, kind string, uris int64) error {
	if kind == "l" {
		m.escaped = stage.AppendEscaped(m.escaped[:0], key)
		return m.task.Emit(m.escaped, []byte(kind))
	}
	if uris == 1 && bytes.Equal(key, m.last) {
		return nil
	}
	m.last = append(m.last[:0], key...)
	m.escaped = stage.AppendEscaped(m.escaped[:0], key)
	m.number = strconv.AppendInt(m.number[:0], uris, 10)
	return m.task.Emit(m.escaped, []byte(kind), m.number)
}

// Meet is the reducer that tells of each key that is looked up how often, and whether it
// is in the truth. It counts the different URI-Rs of the truth.
func Meet(t *stage.Task) error {
	var lookups, present, uris int64
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		n, held := int64(0), int64(0)
		for value, err := range g.Values() {
			if err != nil {
				return err
			}
			if string(value) == "l" {
				n++
				continue
			}
			_, number, _ := bytes.Cut(value, []byte("\t"))
			u, err := strconv.ParseInt(string(number), 10, 64)
			if err != nil {
				return errors.New("not a line of the truth: " + strconv.Quote(string(value)))
			}
			held = max(held, u)
		}
		uris += held
		if n == 0 {
			continue
		}
		lookups += n
		flag := []byte("0")
		if held > 0 {
			flag = []byte("1")
			present += n
		}
		if err := t.Emit(g.Key, strconv.AppendInt(nil, n, 10), flag); err != nil {
			return err
		}
	}
	t.Count("lookups", lookups)
	t.Count("present", present)
	t.Count("uris", uris)
	return nil
}
