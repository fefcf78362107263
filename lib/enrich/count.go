package enrich

import (
	"bytes"
	"fmt"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/where"
)

// CountOptions say how rows are counted.
type CountOptions struct {
	Options        // of the mapper that has made the rows
	Save    string // csv or parquet
	Count   string // name of the column behind the others
	RawCSV  bool   // as MapperOptions.RawCSV
}

// CountRows is the reducer that writes each row once, with the number of rows that
// are equal to it as last column. Its input is rows of --save tsv, sorted. A cell
// without text has no value.
func CountRows(t *stage.Task, o CountOptions) error {
	if o.Save != "csv" && o.Save != "parquet" {
		return stage.Usage("--save %q: csv or parquet is wanted", o.Save)
	}
	if o.Count == "" {
		return stage.Usage("--count is missing")
	}
	plan, err := newPlan(o.Options)
	if err != nil {
		return err
	}
	c := counter{task: t, options: o, plan: plan}
	if o.Save == "csv" { // with its header also where there is no row
		if err := c.open(); err != nil {
			return err
		}
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		// hadoop-streaming ends a key without value in a tab; a last cell without
		// text ends in none then.
		line = bytes.TrimRight(line, "\t")
		if c.n > 0 && bytes.Equal(line, c.line) {
			c.n++
			continue
		}
		if err := c.put(); err != nil {
			return err
		}
		c.line, c.n = append(c.line[:0], line...), 1
	}
	if err := c.put(); err != nil || c.saver == nil {
		return err
	}
	if err := c.saver.write(&c.out); err != nil {
		return err
	}
	return c.saver.close()
}

// A counter counts equal rows.
type counter struct {
	task    *stage.Task
	options CountOptions
	plan    *Plan
	saver   *saver // nil before the first row
	line    []byte
	n       int64 // rows that are equal to line
	fields  [][]byte
	text    []byte
	cells   []Value
	out     output
}

func (c *counter) open() error {
	s := &saver{task: c.task}
	var err error
	if s.columns, err = c.plan.columns(c.options.Columns); err != nil {
		return err
	}
	s.columns = append(s.columns, column{name: c.options.Count, kind: where.Integer})
	s.row = func(out *output, cells []Value) error {
		out.bytes = appendCSV(out.bytes, cells, c.options.RawCSV)
		return nil
	}
	extension := ".csv.gz"
	if c.options.Save == "parquet" {
		extension = ".parquet"
	}
	c.saver = s
	return s.create(fmt.Sprintf("part-%05d%s", c.task.Partition(), extension), &MapperOptions{Save: c.options.Save, RawCSV: c.options.RawCSV})
}

// put writes the row that has been counted.
func (c *counter) put() error {
	if c.n == 0 {
		return nil
	}
	if c.saver == nil {
		if err := c.open(); err != nil {
			return err
		}
	}
	c.fields = stage.Fields(c.fields, c.line, 0)
	columns := c.saver.columns
	if len(c.fields) > len(columns)-1 {
		return fmt.Errorf("a row has %d cells, not %d: %q", len(c.fields), len(columns)-1, c.line)
	}
	c.cells, c.text = c.cells[:0], c.text[:0]
	for i := range columns[:len(columns)-1] {
		v := Value{}
		if i < len(c.fields) && len(c.fields[i]) > 0 {
			begin := len(c.text)
			var err error
			if c.text, err = stage.AppendUnescaped(c.text, c.fields[i]); err != nil {
				return err
			}
			v.setText(c.text[begin:len(c.text):len(c.text)])
			if n, err := strconv.ParseInt(string(v.Bytes), 10, 64); err == nil && columns[i].kind == where.Integer {
				v = Value{Kind: Integer, Number: n}
			}
		}
		c.cells = append(c.cells, v)
	}
	c.cells = append(c.cells, Value{Kind: Integer, Number: c.n})
	if err := c.saver.row(&c.out, c.cells); err != nil {
		return err
	}
	c.task.Count("rows", 1)
	if len(c.out.bytes) < batchBytes && len(c.out.rows) < batchRecords {
		return nil
	}
	err := c.saver.write(&c.out)
	c.out.clear()
	return err
}
