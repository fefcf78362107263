package documents

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// A Kind is what a value is.
type Kind uint8

// Kinds of values. Missing is also an array, an object and null.
const (
	Missing Kind = iota
	Integer
	Float
	String
	Bool
)

// A Value is an attribute of a document, or what is computed of some.
type Value struct {
	Kind  Kind
	Int   int64 // of Integer; of Bool 0 or 1
	Float float64
	Text  string
}

// A Path names an attribute: the member of the document, and of objects in it.
type Path []string

func (p Path) String() string { return strings.Join(p, ".") }

// Attribute gives a document's value at a path.
func (o *Object) Attribute(path Path) Value {
	raw := o.Raw(path[0])
	if len(path) == 1 || raw == nil {
		return parseValue(raw)
	}
	for _, name := range path[1:] {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil {
			return Value{}
		}
		raw = inner[name]
	}
	return parseValue(raw)
}

// parseValue gives the value of sound JSON.
func parseValue(raw []byte) Value {
	if len(raw) == 0 {
		return Value{}
	}
	switch raw[0] {
	case '"':
		text, _ := AppendString(nil, raw)
		return Value{Kind: String, Text: string(text)}
	case 't':
		return Value{Kind: Bool, Int: 1}
	case 'f':
		return Value{Kind: Bool}
	case 'n', '[', '{':
		return Value{}
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return Value{Kind: Integer, Int: n}
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return Value{} // out of range
	}
	return Number(f)
}

// Number gives a value for a float: equal numbers are equal values. What is no
// number is missing.
func Number(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<62 {
		return Value{Kind: Integer, Int: int64(f)}
	}
	return Value{Kind: Float, Float: f}
}

// AsFloat gives an Integer or Float as float.
func (v Value) AsFloat() float64 {
	if v.Kind == Integer {
		return float64(v.Int)
	}
	return v.Float
}

// IsNumber says whether there is something to calculate with.
func (v Value) IsNumber() bool { return v.Kind == Integer || v.Kind == Float }

// Compare orders two values: negative, 0 or positive. comparable is false where one
// is missing, or one is a text and the other a number.
func Compare(a, b Value) (order int, comparable bool) {
	switch {
	case a.Kind == Integer && b.Kind == Integer, a.Kind == Bool && b.Kind == Bool:
		return cmp.Compare(a.Int, b.Int), true
	case a.IsNumber() && b.IsNumber():
		return cmp.Compare(a.AsFloat(), b.AsFloat()), true
	case a.Kind == String && b.Kind == String:
		return strings.Compare(a.Text, b.Text), true
	}
	return 0, false
}

// Append appends a form of the value that Decode reads. It can hold any byte; equal
// values have the same.
func (v Value) Append(dst []byte) []byte {
	switch v.Kind {
	case Integer:
		return strconv.AppendInt(append(dst, 'i'), v.Int, 10)
	case Float:
		return strconv.AppendFloat(append(dst, 'f'), v.Float, 'g', -1, 64)
	case String:
		return append(append(dst, 's'), v.Text...)
	case Bool:
		return append(dst, 'b', byte('0'+v.Int))
	}
	return append(dst, '-')
}

// Decode reads what Append has made; what it has not is missing.
func Decode(b []byte) Value {
	if len(b) < 2 {
		if string(b) == "s" {
			return Value{Kind: String}
		}
		return Value{}
	}
	rest := string(b[1:])
	switch b[0] {
	case 'i':
		if n, err := strconv.ParseInt(rest, 10, 64); err == nil {
			return Value{Kind: Integer, Int: n}
		}
	case 'f':
		if f, err := strconv.ParseFloat(rest, 64); err == nil {
			return Value{Kind: Float, Float: f}
		}
	case 's':
		return Value{Kind: String, Text: rest}
	case 'b':
		return Value{Kind: Bool, Int: int64(b[1] & 1)}
	}
	return Value{}
}
