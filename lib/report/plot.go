package report

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A Plot shows series of points over two axes.
type Plot struct {
	Title  string
	Text   string // what is to be seen in it, also for those who cannot see it
	X, Y   Axis
	Series []Series // the first eight have colours of their own
}

// A Mark is how the points of a series are drawn.
type Mark int

// The marks.
const (
	Line      Mark = iota // joined, in their order
	Columns               // each a column from the foot of the plot
	Dots                  // each by itself
	DotsLined             // dots that are joined
)

// A Series is points that belong together. A point that is not a number, or that has
// no place on an axis (zero where it is logarithmic), is not drawn.
type Series struct {
	Name  string
	Mark  Mark
	X, Y  []float64 // X may be left out: 0, 1, 2, …
	Notes []string  // of points, for their tooltips; may be left out
}

// The drawing's size and margins, in units; the margins leave room for the letters on
// a phone, where they are largest.
const (
	width, height            = 400.0, 254.0
	left, right, top, bottom = 58.0, 14.0, 22.0, 48.0
	letter                   = 7.4 // of a letter's width on a phone
)

// listed is how many points of a series its table lists at most.
const listed = 50

func (s *Series) len() int {
	if s.X == nil {
		return len(s.Y)
	}
	return min(len(s.X), len(s.Y))
}

func (s *Series) x(i int) float64 {
	if s.X == nil {
		return float64(i)
	}
	return s.X[i]
}

// A drawing is a plot with its scales.
type drawing struct {
	*writer
	*Plot
	h, v scale
}

func (w *writer) plot(p *Plot) {
	w.plots++
	d := &drawing{writer: w, Plot: p}
	d.fit()
	w.printf("<figure>\n<figcaption><b>%s</b> %s</figcaption>\n", w.text(p.Title), w.text(p.Text))
	d.legend()
	w.printf("<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-labelledby=\"t%d d%d\">\n", fixed(width, 0), fixed(height, 0), w.plots, w.plots)
	w.printf("<title id=\"t%d\">%s</title>\n<desc id=\"d%d\">%s</desc>\n", w.plots, w.text(p.Title), w.plots, w.text(d.description()))
	d.axes()
	columns, column := 0, 0
	for i := range p.Series {
		if p.Series[i].Mark == Columns {
			columns++
		}
	}
	for i := range p.Series {
		s := &p.Series[i]
		w.printf("<g class=\"s%d\">\n", i%8+1)
		switch s.Mark {
		case Columns:
			d.columns(s, column, columns)
			column++
		case Dots:
			d.dots(s)
		case DotsLined:
			d.line(s)
			d.dots(s)
		default:
			d.line(s)
		}
		w.print("</g>\n")
	}
	w.print("</svg>\n")
	d.numbers()
	w.print("</figure>\n")
}

// fit finds the range of the points that have a place and makes the scales.
func (d *drawing) fit() {
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	fits := func(a *Axis, v float64) bool {
		return !math.IsNaN(v) && !math.IsInf(v, 0) && (v > 0 || !a.Log || a.Names != nil)
	}
	columns := false
	for i := range d.Series {
		s := &d.Series[i]
		columns = columns || s.Mark == Columns
		for j := range s.len() {
			x, y := s.x(j), s.Y[j]
			if fits(&d.X, x) && fits(&d.Y, y) {
				x0, x1, y0, y1 = math.Min(x0, x), math.Max(x1, x), math.Min(y0, y), math.Max(y1, y)
			}
		}
	}
	y := d.Y
	y.FromZero = y.FromZero || columns
	d.h, d.v = newScale(&d.X, x0, x1, 5), newScale(&y, y0, y1, 5)
}

// description says in words what the plot is, for those who cannot see it.
func (d *drawing) description() string {
	var names []string
	for _, s := range d.Series {
		if s.Name != "" {
			names = append(names, s.Name)
		}
	}
	text := strings.TrimSpace(d.Text)
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	text += " " + d.Y.Label + " over " + d.X.Label
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return strings.TrimSpace(text) + ". The numbers are in the table below."
}

func (d *drawing) legend() {
	if len(d.Series) < 2 {
		return
	}
	d.print("<ul class=\"legend\">")
	for i, s := range d.Series {
		d.printf("<li class=\"s%d\">%s</li>", i%8+1, d.text(s.Name))
	}
	d.print("</ul>\n")
}

// at gives where a value of the horizontal axis lies, in units.
func (d *drawing) at(x float64) (float64, bool) {
	p, ok := d.h.place(x)
	return left + p*(width-left-right), ok
}

// up gives where a value of the vertical axis lies.
func (d *drawing) up(y float64) (float64, bool) {
	p, ok := d.v.place(y)
	return height - bottom - p*(height-top-bottom), ok
}

func (d *drawing) axes() {
	for _, t := range d.v.ticks {
		if y, ok := d.up(t); ok {
			d.printf("<path class=\"grid\" d=\"M%s %sH%s\"/>", unit(left), unit(y), unit(width-right))
			d.printf("<text x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>\n", unit(left-5), unit(y+3.5), d.writer.text(d.v.text(t)))
		}
	}
	foot := height - bottom
	d.printf("<path class=\"edge\" d=\"M%s %sH%s\"/>\n", unit(left), unit(foot), unit(width-right))
	for _, t := range d.marks() {
		if x, ok := d.at(t); ok {
			d.printf("<path class=\"edge\" d=\"M%s %sv3\"/>", unit(x), unit(foot))
			text, anchor := d.h.text(t), "middle"
			if x+float64(utf8.RuneCountInString(text))*letter/2 > width {
				x, anchor = width, "end"
			}
			d.printf("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", unit(x), unit(foot+18), anchor, d.writer.text(text))
		}
	}
	d.printf("<text x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>\n", unit((left+width-right)/2), unit(height-8), d.writer.text(d.X.Label))
	d.printf("<text x=\"2\" y=\"12\">%s</text>\n", d.writer.text(d.Y.Label))
}

// marks gives the values that stand below the horizontal axis: of many names every
// second, third and so on, so that they do not touch.
func (d *drawing) marks() []float64 {
	if d.X.Names == nil {
		return d.h.ticks
	}
	longest := 1
	for _, n := range d.X.Names {
		longest = max(longest, utf8.RuneCountInString(n))
	}
	room := (width - left - right) / math.Max(float64(len(d.X.Names)), 1)
	step := max(1, int(math.Ceil((float64(longest)+1)*letter/room)))
	var at []float64
	for i := 0; i < len(d.X.Names); i += step {
		at = append(at, float64(i))
	}
	return at
}

// line draws the points joined. Of points that are not half a unit apart only the
// first is drawn: nobody sees more, whatever their number.
func (d *drawing) line(s *Series) {
	d.print("<path class=\"line\" d=\"")
	pen, lastX, lastY, skipped := false, 0.0, 0.0, false
	move := func(x, y float64) {
		command := "L"
		if !pen {
			command = "M"
		}
		d.printf("%s%s %s", command, unit(x), unit(y))
		pen, lastX, lastY, skipped = true, x, y, false
	}
	var x, y float64
	for i := range s.len() {
		px, okX := d.at(s.x(i))
		py, okY := d.up(s.Y[i])
		if !okX || !okY {
			if skipped {
				move(x, y)
			}
			pen, skipped = false, false
			continue
		}
		x, y = px, py
		if pen && math.Abs(x-lastX) < 0.5 && math.Abs(y-lastY) < 0.5 {
			skipped = true
			continue
		}
		move(x, y)
	}
	if skipped {
		move(x, y)
	}
	d.print("\"/>\n")
}

func (d *drawing) dots(s *Series) {
	for i := range s.len() {
		x, okX := d.at(s.x(i))
		y, okY := d.up(s.Y[i])
		if okX && okY {
			d.printf("<circle class=\"dot\" cx=\"%s\" cy=\"%s\" r=\"3.2\"><title>%s</title></circle>\n", unit(x), unit(y), d.note(s, i))
		}
	}
}

// columns draws the series as the k-th of n columns at each place.
func (d *drawing) columns(s *Series, k, n int) {
	places := math.Max(float64(len(d.X.Names)), 1)
	if d.X.Names == nil {
		for i := range s.len() {
			if i > 0 && s.x(i) != s.x(i-1) {
				places = math.Max(places, math.Abs((d.h.hi-d.h.lo)/(s.x(i)-s.x(i-1))))
			}
		}
	}
	slot := (width - left - right) / places * 0.8
	wide := slot / float64(n)
	foot := height - bottom
	if y, ok := d.up(0); ok {
		foot = y
	}
	for i := range s.len() {
		x, okX := d.at(s.x(i))
		y, okY := d.up(s.Y[i])
		if !okX || !okY {
			continue
		}
		gap := math.Min(1, wide/5)
		d.printf("<rect class=\"rect\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n",
			unit(x-slot/2+float64(k)*wide+gap/2), unit(math.Min(y, foot)), unit(wide-gap), unit(math.Max(math.Abs(foot-y), 0.3)), d.note(s, i))
	}
}

// note is what a point's tooltip says.
func (d *drawing) note(s *Series, i int) string {
	text := d.h.text(s.x(i)) + ": " + d.v.text(s.Y[i])
	if s.Name != "" {
		text = s.Name + ", " + text
	}
	if i < len(s.Notes) {
		text = s.Notes[i]
	}
	return d.writer.text(text)
}

// numbers writes the points as a table; of a series with many of them every second,
// third and so on, and the last.
func (d *drawing) numbers() {
	d.print("<details><summary>Numbers</summary>\n")
	t := Table{Caption: d.Title, Columns: []Column{{Name: d.X.Label, Look: Figures}, {Name: d.Y.Label, Look: Figures}}}
	if d.X.Names != nil {
		t.Columns[0].Look = Words
	}
	if len(d.Series) > 1 {
		t.Columns = append([]Column{{Name: "Series"}}, t.Columns...)
	}
	for i := range d.Series {
		s := &d.Series[i]
		step := (s.len() + listed - 1) / listed
		for j := range s.len() {
			if j%step != 0 && j != s.len()-1 {
				continue
			}
			row := []Cell{Word(d.h.text(s.x(j))), Word(d.v.text(s.Y[j]))}
			if len(d.Series) > 1 {
				row = append([]Cell{Word(s.Name)}, row...)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	d.table(&t)
	d.print("</details>\n")
}

// unit writes a place in the drawing.
func unit(v float64) string { return fixed(v, 1) }
