package pdftext

import (
	"math"

	"github.com/ledongthuc/pdf"
)

// A matrix is a transformation [a b c d e f] (ISO 32000-1, section 8.3.3).
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times is the transformation by m, then by n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) point {
	return point{m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]}
}

// A state is what of the graphics state text depends on (sections 8.4.1, 9.3).
type state struct {
	user             matrix // to the page
	text, line       matrix // to user space
	font             *font
	size             float64
	char, word, wide float64 // spacing of characters and words, horizontal scaling
	leading, rise    float64
}

func newState() state {
	return state{user: identity, text: identity, line: identity, wide: 1}
}

// A content is a stream of a page or form that is being interpreted.
type content struct {
	*document
	resources pdf.Value
	state     state
	saved     []state
	err       error
}

// interpret draws the text of a stream, or of an array of streams.
func (c *content) interpret(stream pdf.Value, s state) error {
	if stream.IsNull() {
		return nil
	}
	c.state = s
	pdf.Interpret(stream, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		if c.err == nil {
			c.err = c.operator(op, args)
		}
	})
	return c.err
}

// operator carries one out (annex A). One with too few operands does nothing.
func (c *content) operator(op string, args []pdf.Value) error {
	if len(c.writer.out) >= maxText {
		return ErrTooLarge
	}
	if len(args) < operands[op] {
		return nil
	}
	s := &c.state
	switch op {
	case "q":
		if len(c.saved) < maxStates {
			c.saved = append(c.saved, *s)
		}
	case "Q":
		if n := len(c.saved); n > 0 {
			*s, c.saved = c.saved[n-1], c.saved[:n-1]
		}
	case "cm":
		s.user = matrixOf(args).times(s.user)
	case "Do":
		return c.form(c.resources.Key("XObject").Key(args[0].Name()))
	case "BT":
		s.text, s.line = identity, identity
	case "Tf":
		s.font, s.size = c.font(c.resources.Key("Font").Key(args[0].Name())), args[1].Float64()
	case "Tc":
		s.char = args[0].Float64()
	case "Tw":
		s.word = args[0].Float64()
	case "Tz":
		s.wide = args[0].Float64() / 100
	case "TL":
		s.leading = args[0].Float64()
	case "Ts":
		s.rise = args[0].Float64()
	case "Tm":
		s.line = matrixOf(args)
		s.text = s.line
	case "TD":
		s.leading = -args[1].Float64()
		s.move(args[0].Float64(), args[1].Float64())
	case "Td":
		s.move(args[0].Float64(), args[1].Float64())
	case "T*":
		s.move(0, -s.leading)
	case "Tj":
		c.show(args[0].RawString())
	case "'":
		s.move(0, -s.leading)
		c.show(args[0].RawString())
	case "\"":
		s.word, s.char = args[0].Float64(), args[1].Float64()
		s.move(0, -s.leading)
		c.show(args[2].RawString())
	case "TJ":
		for i := range args[0].Len() {
			if v := args[0].Index(i); v.Kind() == pdf.String {
				c.show(v.RawString())
			} else {
				s.advance(-v.Float64() / 1000 * s.size * s.wide)
			}
		}
	}
	return nil
}

// operands is how many of them operators need.
var operands = map[string]int{
	"cm": 6, "Do": 1, "Tf": 2, "Tc": 1, "Tw": 1, "Tz": 1, "TL": 1, "Ts": 1,
	"Tm": 6, "TD": 2, "Td": 2, "Tj": 1, "'": 1, "\"": 3, "TJ": 1,
}

func matrixOf(args []pdf.Value) (m matrix) {
	for i := range m {
		m[i] = args[i].Float64()
	}
	return m
}

// move goes to the begin of another line.
func (s *state) move(x, y float64) {
	s.line = matrix{1, 0, 0, 1, x, y}.times(s.line)
	s.text = s.line
}

// advance goes on within the line.
func (s *state) advance(x float64) { s.text = matrix{1, 0, 0, 1, x, 0}.times(s.text) }

// show draws a string (section 9.4.4).
func (c *content) show(raw string) {
	s := &c.state
	if s.font == nil {
		return
	}
	s.font.glyphs(raw, func(code string, text string, width float64) {
		toPage := matrix{1, 0, 0, 1, 0, s.rise}.times(s.text).times(s.user)
		space := s.char
		advance := width * s.size
		if code == " " {
			space += s.word
		}
		from, to := toPage.apply(0, 0), toPage.apply((advance+s.char)*s.wide, 0)
		up := toPage.apply(0, s.size*s.font.height)
		c.writer.add(text, from, to, math.Hypot(up.x-from.x, up.y-from.y))
		s.advance((advance + space) * s.wide)
	})
}

// form draws a form XObject (section 8.10); an image has no text.
func (c *content) form(x pdf.Value) error {
	if x.Key("Subtype").Name() != "Form" {
		return nil
	}
	if c.forms >= maxForms {
		return ErrTooLarge
	}
	c.forms++
	defer func() { c.forms-- }()
	inner := content{document: c.document, resources: x.Key("Resources")}
	if inner.resources.IsNull() {
		inner.resources = c.resources
	}
	s := c.state
	if m := x.Key("Matrix"); m.Len() == 6 {
		s.user = matrix{m.Index(0).Float64(), m.Index(1).Float64(), m.Index(2).Float64(),
			m.Index(3).Float64(), m.Index(4).Float64(), m.Index(5).Float64()}.times(s.user)
	}
	return inner.interpret(x, s)
}
