package summary

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"archivestream/lib/stage"
)

// A Summary is what summary.json holds: see the package's documentation.
type Summary struct {
	Captures   int64       `json:"captures"`
	URLs       int64       `json:"urls"`
	Hosts      int64       `json:"hosts"`
	Bytes      int64       `json:"bytes"`
	First      string      `json:"first"`
	Last       string      `json:"last"`
	TopHosts   Counts      `json:"tophosts"`
	MimeStatus Grid        `json:"mimestatus"`
	PathQuery  Grid        `json:"pathquery"`
	YearMonth  Grid        `json:"yearmonth"`
	Samples    [][2]string `json:"samples"`
}

// A Count is a name with a number.
type Count struct {
	Name string
	N    int64
}

// Counts are an object in JSON whose members keep their order.
type Counts []Count

// A Row is a row of a table.
type Row struct {
	Name  string
	Cells Counts
}

// A Grid is a table: an object of objects in JSON.
type Grid []Row

var months = []string{"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"}

// New gives the summary of no captures.
func New() *Summary {
	return &Summary{
		TopHosts: Counts{}, MimeStatus: newGrid(Types, Statuses), PathQuery: newGrid(Paths, Queries),
		YearMonth: Grid{}, Samples: [][2]string{},
	}
}

func newGrid(rows, columns []string) Grid {
	g := make(Grid, len(rows))
	for i, name := range rows {
		g[i] = newRow(name, columns)
	}
	return g
}

func newRow(name string, columns []string) Row {
	r := Row{Name: name, Cells: make(Counts, len(columns))}
	for i, column := range columns {
		r.Cells[i].Name = column
	}
	return r
}

func (g Grid) set(row, column string, n int64) error {
	for _, r := range g {
		if r.Name != row {
			continue
		}
		if i := slices.IndexFunc(r.Cells, func(c Count) bool { return c.Name == column }); i >= 0 {
			r.Cells[i].N = n
			return nil
		}
	}
	return fmt.Errorf("unknown cell %s, %s in a partial summary", row, column)
}

// MarshalJSON writes the counts as one object.
func (c Counts) MarshalJSON() ([]byte, error) {
	return object(len(c), func(i int) (string, any) { return c[i].Name, c[i].N })
}

// MarshalJSON writes the rows as an object of objects.
func (g Grid) MarshalJSON() ([]byte, error) {
	return object(len(g), func(i int) (string, any) { return g[i].Name, g[i].Cells })
}

func object(n int, member func(i int) (string, any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name, value := member(i)
		for j, part := range []any{name, value} {
			if j > 0 {
				b.WriteByte(':')
			}
			text, err := json.Marshal(part)
			if err != nil {
				return nil, err
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// WriteJSON writes summary.json.
func (s *Summary) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// create makes both files.
func (s *Summary) create(t *stage.Task, title string) error {
	for name, write := range map[string]func(io.Writer) error{
		"summary.json": s.WriteJSON,
		"summary.html": s.Page(title).Write,
	} {
		f, err := t.Create(name)
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
