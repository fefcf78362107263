package cover

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"archivestream/lib/documents"
	"archivestream/lib/stage"
	"archivestream/lib/where"
)

// WeighDocuments is the mapper that makes the documents table. Its lines are JSON
// objects, or ID TAB an object; weight is an expression (lib/where, dotted paths of
// the object) or "", the minima name the attributes that documents are grouped by.
func WeighDocuments(t *stage.Task, weight string, minima []Minimum) error {
	w := weigher{task: t, minima: minima}
	if weight != "" {
		var err error
		if w.weight, err = where.CompileValue(weight, &where.Schema{Paths: true}); err != nil {
			return stage.Usage("--weight: %v", err)
		}
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if err := w.document(line); err != nil {
			return err
		}
	}
	return nil
}

// A weigher is the record of an expression, too.
type weigher struct {
	task    *stage.Task
	weight  *where.Expression
	minima  []Minimum
	members map[string]json.RawMessage
	out     []byte
}

func (w *weigher) document(line []byte) error {
	id, object, given := bytes.Cut(line, tab)
	if len(line) > 0 && line[0] == '{' {
		object, given = line, false
	}
	w.members = nil
	if err := json.Unmarshal(object, &w.members); err != nil {
		return w.task.Reject("not a JSON object: "+err.Error(), line)
	}
	if !given {
		id = w.field(nil, "id")
	}
	if len(id) == 0 {
		return w.task.Reject("a document without id", line)
	}
	w.out = append(append(w.out[:0], id...), '\t')
	w.out = strconv.AppendFloat(w.out, w.weigh(), 'g', -1, 64)
	size, ok := w.size("bytes")
	if !ok {
		size, _ = w.size(w.computed("bytes"))
	}
	w.out = strconv.AppendInt(append(w.out, '\t'), size, 10)
	if n, ok := w.lookup(w.computed("shingles")).(int); ok {
		w.task.Count("shingles", int64(n))
	}
	for _, name := range []string{"url", "filename", "offset", "length"} {
		w.out = w.field(append(w.out, '\t'), name)
	}
	for i, m := range w.minima {
		w.out = append(w.out, '\t')
		before := len(w.out)
		if w.out = w.field(w.out, m.Attribute); len(w.out) > before {
			w.task.Count(fmt.Sprintf("with-minimum-%d", i+1), 1)
		}
	}
	w.task.Count("documents", 1)
	return w.task.Write(w.out)
}

// size returns a member that is a number of bytes.
func (w *weigher) size(name string) (n int64, ok bool) {
	size, err := strconv.ParseFloat(string(w.field(nil, name)), 64)
	if err != nil || !(size >= 0 && size < 1<<53) {
		return 0, false
	}
	return int64(size), true
}

// computed returns the name of a number that is no member of the document itself: the
// one with the most underscores (package documents).
func (w *weigher) computed(name string) string {
	most := 0
	for member := range w.members {
		most = max(most, documents.Underscores(member, name))
	}
	return strings.Repeat("_", most) + name
}

// field appends a text, number or truth value, escaped; nothing where it is neither.
func (w *weigher) field(dst []byte, path string) []byte {
	switch v := w.lookup(path).(type) {
	case string:
		return stage.AppendEscaped(dst, []byte(v))
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	case bool:
		return strconv.AppendBool(dst, v)
	}
	return dst
}

// lookup gives the value at a dotted path, nil where there is none.
func (w *weigher) lookup(path string) any {
	members := w.members
	for {
		if raw, ok := members[path]; ok {
			return decode(raw)
		}
		name, rest, more := strings.Cut(path, ".")
		raw, ok := members[name]
		if !more || !ok {
			return nil
		}
		members = nil
		if json.Unmarshal(raw, &members) != nil {
			return nil
		}
		path = rest
	}
}

// decode gives whole numbers as such.
func decode(raw json.RawMessage) any {
	if n, err := strconv.Atoi(string(raw)); err == nil {
		return n
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

// weigh gives the document's weight: 1 where there is no expression, or none that
// gives a number above 0.
func (w *weigher) weigh() float64 {
	if w.weight == nil {
		return 1
	}
	value, err := w.weight.Value(w)
	if err == nil {
		switch v := value.(type) {
		case int:
			if v > 0 {
				return float64(v)
			}
		case float64:
			if v > 0 && !math.IsInf(v, 1) {
				return v
			}
		}
	}
	w.task.Count("without-weight", 1)
	return 1
}

// Any gives the value at the path of a number: where.Record.
func (w *weigher) Any(field int) any { return w.lookup(w.weight.Paths()[field]) }

// Text is of no field: all are paths.
func (w *weigher) Text(int) []byte { return nil }

// Integer is of no field either.
func (w *weigher) Integer(int) int { return 0 }

// CountVersions is the reducer that gets the URL of each document, sorted, and
// counts: urls, documents that have one, and the squares of how many each URL has.
func CountVersions(t *stage.Task) error {
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		var n int64
		for _, err := range g.Values() {
			if err != nil {
				return err
			}
			n++
		}
		if len(g.Key) > 0 {
			t.Count("urls", 1)
			t.Count("versions", n)
			t.Count("squares", n*n)
		}
	}
	return nil
}

// MeetKept is the mapper that brings the documents table and the ids of the cover (a
// line of one field) together.
func MeetKept(t *stage.Task) error {
	var f [][]byte
	var err error
	for line, failed := range t.Lines() {
		if failed != nil {
			return failed
		}
		f = stage.Fields(f, line, 0)
		switch {
		case len(f) == 1:
			err = t.Emit(f[0], []byte{'0'})
		case len(f) >= tableFields:
			err = t.Emit(f[0], []byte{'1'}, f[fieldURL], f[fieldFilename], f[fieldOffset], f[fieldLength])
		default:
			err = fmt.Errorf("neither a document nor an id: %q", line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ListKept is the reducer behind MeetKept, its lines sorted: it lists where the
// captures of the cover lie, URL TAB FILENAME TAB OFFSET TAB LENGTH, as lib/extract
// reads it. A document that does not say where it lies is rejected.
func ListKept(t *stage.Task) error {
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		kept := false
		for line, err := range g.Values() {
			if err != nil {
				return err
			}
			if len(line) == 1 {
				kept = true
				continue
			}
			if !kept {
				break
			}
			f := stage.Fields(nil, line[2:], 0)
			if len(f) != 4 || len(f[1]) == 0 || len(f[2]) == 0 || len(f[3]) == 0 {
				err = t.Reject("a document without filename, offset and length", g.Key)
			} else {
				err = t.Emit(f...)
				t.Count("listed", 1)
			}
			if err != nil {
				return err
			}
			break
		}
	}
	return nil
}
