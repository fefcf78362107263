package where

// A Kind is the type of a field.
type Kind uint8

// The kinds. A text is bytes, compared byte by byte.
const (
	Text Kind = iota
	Integer
	Any // whatever the record has: text, number, truth value, list, map or nothing
)

// zero is what stands for the kind when an expression is checked.
func (k Kind) zero() any {
	switch k {
	case Text:
		return ""
	case Integer:
		return 0
	}
	return nil
}

// A Field is a name that expressions can use, and its type.
type Field struct {
	Name string
	Kind Kind
}

// A Schema says which names expressions can use.
type Schema struct {
	Fields []Field
	// Paths lets expressions use any other name, too: a dotted path such as
	// payload.string.html.title, or value("…") for one that is no name in the
	// language. Its kind is Any.
	Paths bool
}

// field gives the number of a field, -1 where there is none of that name.
func (s *Schema) field(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// A Record is what expressions are evaluated on. A field is asked for by its
// number: that of Schema.Fields, or the number of these plus that of
// Expression.Paths; only when its value is needed. What it gives has to stay valid
// until the evaluation ends.
type Record interface {
	Text(field int) []byte
	Integer(field int) int
	Any(field int) any
}
