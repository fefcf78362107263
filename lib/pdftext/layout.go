package pdftext

import (
	"math"
	"unicode/utf8"
)

// How far a glyph has to be from the one before it, in heights of the larger one:
// along the line for a space between the two, off it or back for a new line.
const (
	gapOfSpace = 0.15
	gapOfLine  = 0.5
	gapBack    = -1
)

// A point is a place on a page.
type point struct{ x, y float64 }

// A writer collects the glyphs of pages as text.
type writer struct {
	out  []byte
	end  point   // of the last glyph
	way  point   // direction of its line, of length 1
	size float64 // its height; 0: a line begins
}

// add appends the text of a glyph that is drawn from one point to another.
func (w *writer) add(text string, from, to point, size float64) {
	if text == "" || len(w.out) >= maxText {
		return
	}
	if w.size > 0 {
		height := max(w.size, size)
		dx, dy := from.x-w.end.x, from.y-w.end.y
		along, off := dx*w.way.x+dy*w.way.y, dy*w.way.x-dx*w.way.y
		switch {
		case !(math.Abs(off) <= gapOfLine*height) || along < gapBack*height:
			w.newLine()
		case along > gapOfSpace*height:
			w.space()
		}
	}
	w.append(text)
	w.end, w.size = to, size
	if length := math.Hypot(to.x-from.x, to.y-from.y); length > 0 {
		w.way = point{(to.x - from.x) / length, (to.y - from.y) / length}
	}
}

func (w *writer) space() {
	if n := len(w.out); n > 0 && w.out[n-1] != ' ' && w.out[n-1] != '\n' {
		w.out = append(w.out, ' ')
	}
}

func (w *writer) newLine() {
	for len(w.out) > 0 && w.out[len(w.out)-1] == ' ' {
		w.out = w.out[:len(w.out)-1]
	}
	if n := len(w.out); n > 0 && w.out[n-1] != '\n' {
		w.out = append(w.out, '\n')
	}
}

// endPage puts an empty line behind a page with text.
func (w *writer) endPage() {
	w.newLine()
	if n := len(w.out); n > 1 && w.out[n-2] != '\n' {
		w.out = append(w.out, '\n')
	}
	w.size, w.way = 0, point{1, 0}
}

// append takes the characters of a glyph that are of use in a text: ligatures as
// their letters, blanks as spaces, no controls.
func (w *writer) append(text string) {
	for _, r := range text {
		switch {
		case r <= ' ' || r == 0xa0 || r >= 0x2000 && r <= 0x200a:
			w.space()
		case r >= 0xfb00 && int(r-0xfb00) < len(ligatures):
			w.out = append(w.out, ligatures[r-0xfb00]...)
		case r < 0x7f || r >= 0xad && r < 0xe000 || r > 0xf8ff && r != utf8.RuneError && r != 0xfeff:
			if r != 0xad { // a hyphen that is seen only at the end of a line
				w.out = utf8.AppendRune(w.out, r)
			}
		case r > 0xa0 && r < 0xad:
			w.out = utf8.AppendRune(w.out, r)
		}
	}
}

// ligatures are U+FB00 to U+FB06 (Unicode, alphabetic presentation forms).
var ligatures = [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

func (w *writer) text() []byte {
	w.newLine()
	for len(w.out) > 1 && w.out[len(w.out)-1] == '\n' && w.out[len(w.out)-2] == '\n' {
		w.out = w.out[:len(w.out)-1]
	}
	return w.out
}
