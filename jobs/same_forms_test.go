package jobs

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"archivestream/lib/stage"
)

// json holds the values in JSON against each other and against those of a table.
func (e *enrichment) json(plan []byte, want *outcome) error {
	asked := func(values ...string) []string {
		return append(slices.Clone(e.common), "--enrich", strings.Join(values, ","))
	}
	listed := e.listed() // what --map-enrich makes is there by itself
	if len(listed) == 0 {
		return nil
	}
	var made []string
	for _, value := range e.values {
		if !slices.Contains(listed, value) {
			made = append(made, value)
		}
	}
	all, err := e.sameStage(plan, []way{{name: "three workers", args: []string{"--workers", "3"}}, e.one(processors)}, enrich, asked(listed...)...)
	if err != nil {
		return err
	}
	objects, err := decoded(all.Out)
	if err != nil {
		return err
	}
	// A record that a column rejects has an object without that value.
	if len(want.Rejects) == 0 {
		if err := e.cells(objects, want); err != nil {
			return err
		}
	}
	value := pick(e.random, listed...)
	one, err := e.stage(way{name: "alone"}, plan, enrich, asked(value)...)
	if err != nil {
		return err
	}
	alone, err := decoded(one.Out)
	if err != nil {
		return err
	}
	if len(all.Rejects) != len(one.Rejects) {
		return nil
	}
	if err := e.differ("objects: each value alone", 1, len(objects), len(alone)); err != nil {
		return err
	}
	for i := range objects {
		if err := e.differ("objects: each value alone", 1, []any{value, objects[i]["record"], e.at(objects[i], value, e.values)},
			[]any{value, alone[i]["record"], e.at(alone[i], value, append(made, value))}); err != nil {
			return err
		}
	}
	return nil
}

// cells holds the values in JSON against those of a table.
func (e *enrichment) cells(objects []map[string]any, want *outcome) error {
	rows := slices.Collect(strings.Lines(want.Out))
	if err := e.differ("objects: rows", 1, len(rows), len(objects)); err != nil {
		return err
	}
	for k, row := range rows {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		for i, value := range e.values {
			if value == "payload" { // a row has the bytes, an object their number
				continue
			}
			cell := unescaped(cells[i+2])
			x := e.at(objects[k], value, e.values)
			if err := e.differ("objects: cells", 1, []string{value, cellOf(x)}, []string{value, canonical(cell, x)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellOf is how a value in JSON stands in a table.
func cellOf(x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case string:
		return x
	}
	text, _ := json.Marshal(x)
	return string(text)
}

// canonical is a cell as cellOf makes it: names of objects in order.
func canonical(cell string, like any) string {
	switch like.(type) {
	case nil, string:
		return string([]rune(cell)) // U+FFFD for each byte that is not UTF-8
	}
	x, err := jsonValue(cell)
	if err != nil {
		return cell
	}
	return cellOf(x)
}

func jsonValue(text string) (x any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&x)
	return x, err
}

func decoded(lines string) ([]map[string]any, error) {
	var all []map[string]any
	for line := range strings.Lines(lines) {
		x, err := jsonValue(line)
		if err != nil {
			return nil, fmt.Errorf("%w in %.300q", err, line)
		}
		all = append(all, x.(map[string]any))
	}
	return all, nil
}

// at gives the value of a path in an object. One from which others were derived that
// were asked for stands under _.
func (e *enrichment) at(object map[string]any, path string, asked []string) any {
	var x any = object
	for _, name := range elements(path) {
		m, ok := x.(map[string]any)
		if !ok {
			return nil
		}
		x = m[name]
	}
	derived := slices.ContainsFunc(asked, func(other string) bool { return strings.HasPrefix(other, path+".") })
	if m, ok := x.(map[string]any); ok && derived {
		if inner, ok := m["_"]; ok {
			return inner
		}
		if len(m) > 0 && !slices.ContainsFunc([]string{"httpHeader", "recordHeader"}, func(s string) bool { return s == path }) {
			return nil
		}
	}
	return x
}

// elements takes a path apart; dots in parentheses belong to an argument.
func elements(path string) []string {
	var all []string
	depth, begin := 0, 0
	for i := range len(path) {
		switch path[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '.':
			if depth == 0 {
				all = append(all, path[begin:i])
				begin = i + 1
			}
		}
	}
	return append(all, path[begin:])
}

// form saves the values in the form of the case, on some ways, and reads what is in
// the file.
func (e *enrichment) form(plan []byte, want *outcome) error {
	form := e.c.Form
	options := append(slices.Clone(e.common), "--save", form)
	table := form == "csv" || form == "parquet"
	if table {
		options = append(e.table(e.values...), "--save", form)
	} else {
		options = append(options, "--enrich", strings.Join(e.listed(), ","))
	}
	got, err := e.sameStage(plan, []way{{name: "--save " + form + ", one worker", args: []string{"--workers", "1"}}, e.one(processors)}, enrich, options...)
	if err != nil {
		return err
	}
	if form != "csv" {
		return nil
	}
	z, err := gzip.NewReader(strings.NewReader(got.Files["part-00000.csv.gz"]))
	if err != nil {
		return err
	}
	content, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		return err
	}
	if err := e.differ("csv: rows", 1, strings.Count(want.Out, "\n"), len(rows)-1); err != nil {
		return err
	}
	i := 0
	for line := range strings.Lines(want.Out) {
		i++
		for k, cell := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			// The reader makes one byte of two line ends, and the writer keeps
			// spreadsheets from taking a text for a formula.
			text := strings.ReplaceAll(unescaped(cell), "\r\n", "\n")
			if err := e.differ("csv: cells", 1, text, unquoted(rows[i][k], text)); err != nil {
				return err
			}
		}
	}
	return nil
}

func unquoted(cell, text string) string {
	if cell == "'"+text {
		return text
	}
	return cell
}

func unescaped(field string) string {
	text, err := stage.AppendUnescaped(nil, []byte(field))
	if err != nil {
		return fmt.Sprintf("%v: %s", err, field)
	}
	return string(text)
}
