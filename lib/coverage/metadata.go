package coverage

import (
	"math/bits"

	"github.com/expr-lang/expr/file"

	"archivestream/lib/documents"
)

// Which documents a term is about.
const (
	sideA = 1 << iota
	sideB
)

// A comparison is one metadata constraint.
type comparison struct {
	operator    string
	left, right term
	sides       int
	sameTerm    bool // of a on one side and of b on the other
	source      string
	place       file.Location
}

// isKey says whether the comparison holds exactly for documents of equal keys.
func (c *comparison) isKey() bool { return c.operator == "==" && c.sameTerm }

func (c *comparison) holds(a, b []documents.Value) bool {
	left, right := c.left.value(a, b), c.right.value(a, b)
	if left.Kind == documents.Missing || right.Kind == documents.Missing {
		return false
	}
	order, comparable := documents.Compare(left, right)
	if !comparable {
		return c.operator == "!="
	}
	switch c.operator {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case ">":
		return order > 0
	case "<=":
		return order <= 0
	}
	return order >= 0
}

// A term is one side of a comparison, or a part of it.
type term interface {
	value(a, b []documents.Value) documents.Value
	sides() int
	// form is the term's text with every document called by the same name.
	form() string
	// kinds is what the term can be if the attributes are of these kinds.
	kinds(seen []Kinds) Kinds
}

type attribute struct {
	side int
	slot int
	path documents.Path
}

func (t *attribute) value(a, b []documents.Value) documents.Value {
	if t.side == sideA {
		return a[t.slot]
	}
	return b[t.slot]
}
func (t *attribute) sides() int   { return t.side }
func (t *attribute) form() string { return "." + t.path.String() }

func (t *attribute) kinds(seen []Kinds) Kinds { return seen[t.slot] }

type constant struct{ documents.Value }

func (t *constant) value(_, _ []documents.Value) documents.Value { return t.Value }
func (t *constant) sides() int                                   { return 0 }
func (t *constant) form() string                                 { return string(t.Append(nil)) }
func (t *constant) kinds([]Kinds) Kinds                          { return KindsOf(t.Value) }

type arithmetic struct {
	operator    string
	left, right term
}

func (t *arithmetic) sides() int   { return t.left.sides() | t.right.sides() }
func (t *arithmetic) form() string { return "(" + t.left.form() + t.operator + t.right.form() + ")" }

func (t *arithmetic) kinds(seen []Kinds) Kinds {
	return t.left.kinds(seen) & t.right.kinds(seen) & Numbers
}

func (t *arithmetic) value(a, b []documents.Value) documents.Value {
	x, y := t.left.value(a, b), t.right.value(a, b)
	if !x.IsNumber() || !y.IsNumber() {
		return documents.Value{}
	}
	if x.Kind == documents.Integer && y.Kind == documents.Integer {
		if n, ok := exact(t.operator, x.Int, y.Int); ok {
			return documents.Value{Kind: documents.Integer, Int: n}
		}
	}
	f, g := x.AsFloat(), y.AsFloat()
	switch t.operator {
	case "+":
		return documents.Number(f + g)
	case "-":
		return documents.Number(f - g)
	case "*":
		return documents.Number(f * g)
	}
	return documents.Number(f / g)
}

// exact calculates with integers; ok is false where the result is none.
func exact(operator string, x, y int64) (n int64, ok bool) {
	switch operator {
	case "+":
		n = x + y
		return n, (x > 0) != (y > 0) || (n > 0) == (x > 0)
	case "-":
		n = x - y
		return n, (x >= 0) == (y >= 0) || (n >= 0) == (x >= 0)
	case "*":
		high, low := bits.Mul64(magnitude(x), magnitude(y))
		return x * y, high == 0 && low < 1<<63
	}
	if y == 0 || y == -1 || x%y != 0 {
		return -x, y == -1 && x != -x
	}
	return x / y, true
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
