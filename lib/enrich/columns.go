package enrich

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/where"
)

// A column is one of a table: an expression with a name.
type column struct {
	name string
	source
	kind where.Kind // of its values; Any: written as text, or as JSON
}

// each is what paths begin with that go to the element of the list that a row is of.
const each = "each"

// defaultColumns are the fields of a capture that a table has by itself.
var defaultColumns = []string{"surt", "timestamp", "url", "mime", "status", "digest"}

// columns gives the columns of a table: those of the options, or fields of the
// capture and all values that were asked for.
func (p *Plan) columns(texts []string) ([]column, error) {
	var all []column
	for _, text := range lines(texts) {
		for _, one := range splitList(text) {
			name, expression, ok := strings.Cut(one, "=")
			name, expression = strings.TrimSpace(name), strings.TrimSpace(expression)
			if !ok || strings.HasPrefix(expression, "=") {
				name, expression = one, one
			}
			if name == "" {
				return nil, stage.Usage("--columns %q: NAME = EXPR is wanted", one)
			}
			all = append(all, column{name: name, source: source{"--columns", expression}})
		}
	}
	if len(all) == 0 {
		for _, name := range defaultColumns {
			all = append(all, column{name: name, source: source{"--columns", name}})
		}
		for _, n := range p.nodes {
			if n.asked {
				all = append(all, column{name: n.path, source: source{"--columns", "value(" + strconv.Quote(n.path) + ")"}})
			}
		}
	}
	for i := range all {
		if err := p.checkColumn(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// checkColumn makes the nodes that a column needs and finds its kind.
func (p *Plan) checkColumn(c *column) error {
	e, err := c.compile(false)
	if err != nil {
		return stage.Usage("%s %s: %v", c.option, c.text, err)
	}
	c.kind = where.Any
	for _, f := range where.Enriched.Fields {
		if f.Name == c.text {
			c.kind = f.Kind
		}
	}
	for _, path := range e.Paths() {
		if path == each || strings.HasPrefix(path, each+".") {
			continue
		}
		n, err := p.node(path)
		if err != nil {
			return stage.Usage("%s %s: %v", c.option, c.text, err)
		}
		if path == c.text || c.text == "value("+strconv.Quote(path)+")" {
			switch n.gives {
			case Text:
				c.kind = where.Text
			case Integer:
				c.kind = where.Integer
			}
		}
	}
	return nil
}

// A table makes rows of records, for one goroutine.
type table struct {
	columns []column
	cells   []condition
	each    *node // of a list; nil: a row is a record
}

func (p *Plan) newTable(columns []column, eachPath string) (*table, error) {
	t := &table{columns: columns}
	for _, c := range columns {
		e, err := c.compile(false)
		if err != nil {
			return nil, err
		}
		cell := condition{Expression: e}
		for _, path := range e.Paths() {
			var n *node
			if path != each && !strings.HasPrefix(path, each+".") {
				if n, err = p.node(path); err != nil {
					return nil, err
				}
			}
			cell.paths = append(cell.paths, n)
		}
		t.cells = append(t.cells, cell)
	}
	if eachPath != "" {
		n, err := p.node(eachPath)
		if err != nil {
			return nil, stage.Usage("--each: %v", err)
		}
		t.each = n
	}
	return t, nil
}

// rows calls add with the cells of each row that the record makes.
func (t *table) rows(r *Record, add func(cells []Value) error) error {
	if t.each == nil {
		return t.row(r, nil, add)
	}
	list, ok := r.value(t.each).Any().([]any)
	if !ok {
		return nil
	}
	for _, element := range list {
		if err := t.row(r, element, add); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) row(r *Record, element any, add func(cells []Value) error) error {
	cells := make([]Value, len(t.cells))
	for i := range t.cells {
		a := rowResolver{resolver{r, &t.cells[i]}, element}
		x, err := t.cells[i].Value(&a)
		if err == nil {
			err = r.setAny(x, &cells[i])
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", t.columns[i].name, err)
		}
	}
	return add(cells)
}

// A rowResolver is a resolver for a row of an element.
type rowResolver struct {
	resolver
	element any
}

func (a *rowResolver) Any(field int) any {
	i := field - len(where.Enriched.Fields)
	if a.c.paths[i] != nil {
		return a.resolver.Any(field)
	}
	x := a.element
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(a.c.Paths()[i], each), "."), ".") {
		if name == "" {
			return x
		}
		m, ok := x.(map[string]any)
		if !ok {
			return nil
		}
		x = m[name]
	}
	return x
}

// appendCell appends a cell as text: JSON for what is neither text nor number.
func (v *Value) appendCell(dst []byte) []byte {
	switch v.Kind {
	case Text:
		return append(dst, v.Bytes...)
	case Absent:
		return dst
	}
	return v.AppendJSON(dst)
}

// appendCSV appends a row as RFC 4180 has it, ended by CRLF. Unless it is to be raw, an
// apostrophe goes before a text that a spreadsheet would take for a formula.
func appendCSV(dst []byte, cells []Value, raw bool) []byte {
	for i := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		begin := len(dst)
		if !raw && cells[i].Kind == Text && isFormula(cells[i].Bytes) {
			dst = append(dst, '\'')
		}
		dst = cells[i].appendCell(dst)
		cell := dst[begin:]
		if bytes.ContainsAny(cell, "\",\r\n") || len(cell) > 0 && (cell[0] == ' ' || cell[len(cell)-1] == ' ') {
			dst = append(dst[:begin], quoteCSV(cell)...)
		}
	}
	return append(dst, '\r', '\n')
}

// formulaStart matches how a text begins that spreadsheets compute (OWASP, CSV
// Injection), also in full width; number one that is computed to itself.
var (
	formulaStart = regexp.MustCompile("^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
	number       = regexp.MustCompile(`^[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?$`)
)

// isFormula reports whether a spreadsheet may compute a text. One sign alone it does
// not.
func isFormula(text []byte) bool {
	if len(text) < 2 || text[0] >= '0' && text[0] <= '9' || text[0] >= 'A' && text[0] < 0x80 {
		return false
	}
	return formulaStart.Match(text) && !number.Match(text)
}

func quoteCSV(cell []byte) []byte {
	return append(append([]byte{'"'}, bytes.ReplaceAll(cell, []byte{'"'}, []byte{'"', '"'})...), '"')
}

// appendTSV appends a row as a line of stages: fields escaped (lib/stage).
func appendTSV(dst []byte, cells []Value) []byte {
	var cell []byte
	for i := range cells {
		if i > 0 {
			dst = append(dst, '\t')
		}
		cell = cells[i].appendCell(cell[:0])
		dst = stage.AppendEscaped(dst, cell)
	}
	return append(dst, '\n')
}

// appendPretty appends a JSON object indented by two spaces.
func appendPretty(dst, object []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, object, "", "  ") != nil {
		return append(dst, object...)
	}
	return append(dst, b.Bytes()...)
}
