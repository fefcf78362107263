package report

import "math"

// A Table is rows of cells under named columns.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]Cell // as many cells as columns; what a short row lacks is empty
}

// A Column says how its cells look.
type Column struct {
	Name string
	Look Look
}

// A Look is how the cells of a column are shown.
type Look int

// The looks of a column.
const (
	Words   Look = iota // text, to the left
	Figures             // numbers, to the right
	Bars                // numbers with a bar that is as long as their share of the largest
	Shades              // numbers, the darker the larger (by their logarithm), over all such columns
)

// A Cell is one field of a table: what is read, and the value behind it that bars
// and shades are drawn by.
type Cell struct {
	Text  string
	Value float64
}

// Word is the cell of a text.
func Word(s string) Cell { return Cell{Text: s} }

// Number is the cell of a count.
func Number(n int64) Cell { return Cell{Text: Count(n), Value: float64(n)} }

// table writes a table that scrolls by itself where it is wider than the page.
func (w *writer) table(t *Table) {
	w.printf("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table>\n", w.text(t.Caption))
	if t.Caption != "" {
		w.printf("<caption>%s</caption>\n", w.text(t.Caption))
	}
	w.print("<thead><tr>")
	for _, c := range t.Columns {
		class := ""
		if c.Look != Words {
			class = ` class="n"`
		}
		w.printf("<th scope=\"col\"%s>%s</th>", class, w.text(c.Name))
	}
	w.print("</tr></thead>\n<tbody>\n")
	largest := t.largest()
	for _, row := range t.Rows {
		w.print("<tr>")
		for i, c := range t.Columns {
			var cell Cell
			if i < len(row) {
				cell = row[i]
			}
			w.cell(i, c.Look, cell, largest[i])
		}
		w.print("</tr>\n")
	}
	w.print("</tbody>\n</table>\n</div>\n")
}

// largest gives for each column the value that its bars or shades are relative to.
func (t *Table) largest() []float64 {
	largest, shade := make([]float64, len(t.Columns)), 0.0
	for _, row := range t.Rows {
		for i := range min(len(row), len(t.Columns)) {
			largest[i] = math.Max(largest[i], row[i].Value)
			if t.Columns[i].Look == Shades {
				shade = math.Max(shade, row[i].Value)
			}
		}
	}
	for i, c := range t.Columns {
		if c.Look == Shades {
			largest[i] = shade
		}
	}
	return largest
}

func (w *writer) cell(column int, look Look, c Cell, largest float64) {
	if column == 0 && look == Words {
		w.printf("<th scope=\"row\">%s</th>", w.text(c.Text))
		return
	}
	share := 0.0
	if largest > 0 && c.Value > 0 {
		share = c.Value / largest
	}
	switch look {
	case Words:
		w.printf("<td>%s</td>", w.text(c.Text))
	case Bars:
		w.printf("<td class=\"n bar\" style=\"--v:%s%%\">%s</td>", fixed(share*100, 1), w.text(c.Text))
	case Shades:
		if share > 0 {
			share = math.Log1p(c.Value) / math.Log1p(largest)
		}
		w.printf("<td class=\"n shade\" style=\"--v:%s%%\">%s</td>", fixed(share*45, 1), w.text(c.Text))
	default:
		w.printf("<td class=\"n\">%s</td>", w.text(c.Text))
	}
}
