package where

import (
	"bytes"
	"regexp"

	"github.com/expr-lang/expr/ast"
)

type test = func(Record) (bool, error)

// condition makes a function of a tree that is true or false. Comparisons of fields
// with constants are made without garbage; what is none of them goes to a machine.
func (e *Expression) condition(node ast.Node) (test, error) {
	switch n := node.(type) {
	case *ast.BoolNode:
		value := n.Value
		return func(Record) (bool, error) { return value, nil }, nil
	case *ast.UnaryNode:
		if n.Operator == "!" || n.Operator == "not" {
			inner, err := e.condition(n.Node)
			return func(r Record) (bool, error) {
				ok, err := inner(r)
				return !ok && err == nil, err
			}, err
		}
	case *ast.BinaryNode:
		switch n.Operator {
		case "&&", "and":
			return e.both(n, true)
		case "||", "or":
			return e.both(n, false)
		}
		if t := e.comparison(n); t != nil {
			return t, nil
		}
	}
	m, err := e.machine(node)
	if err != nil {
		return nil, err
	}
	return m.test, nil
}

// both joins two conditions: the second is needed where the first is as given.
func (e *Expression) both(n *ast.BinaryNode, and bool) (test, error) {
	left, err := e.condition(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := e.condition(n.Right)
	return func(r Record) (bool, error) {
		if ok, err := left(r); ok != and || err != nil {
			return ok, err
		}
		return right(r)
	}, err
}

// reversed has the operators that stand for another when the sides are changed.
var reversed = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// comparison makes a function of a comparison of a field with a constant; nil where
// it is none.
func (e *Expression) comparison(n *ast.BinaryNode) test {
	operator, field, constant := n.Operator, n.Left, n.Right
	if _, ok := field.(*ast.IdentifierNode); !ok {
		if operator = reversed[operator]; operator == "" {
			return nil
		}
		field, constant = constant, field
	}
	id, ok := field.(*ast.IdentifierNode)
	if !ok {
		return nil
	}
	number := e.schema.field(id.Value)
	if number < 0 {
		return nil
	}
	switch e.kind(number) {
	case Text:
		return textTest(number, operator, constant)
	case Integer:
		return integerTest(number, operator, constant)
	}
	return nil
}

func textTest(field int, operator string, constant ast.Node) test {
	if list, ok := constant.(*ast.ArrayNode); ok && operator == "in" {
		return textSet(field, list)
	}
	s, ok := constant.(*ast.StringNode)
	if !ok {
		return nil
	}
	want := []byte(s.Value)
	var holds func(text []byte) bool
	switch operator {
	case "==":
		holds = func(text []byte) bool { return bytes.Equal(text, want) }
	case "!=":
		holds = func(text []byte) bool { return !bytes.Equal(text, want) }
	case "<":
		holds = func(text []byte) bool { return bytes.Compare(text, want) < 0 }
	case "<=":
		holds = func(text []byte) bool { return bytes.Compare(text, want) <= 0 }
	case ">":
		holds = func(text []byte) bool { return bytes.Compare(text, want) > 0 }
	case ">=":
		holds = func(text []byte) bool { return bytes.Compare(text, want) >= 0 }
	case "contains":
		holds = func(text []byte) bool { return bytes.Contains(text, want) }
	case "startsWith":
		holds = func(text []byte) bool { return bytes.HasPrefix(text, want) }
	case "endsWith":
		holds = func(text []byte) bool { return bytes.HasSuffix(text, want) }
	case "matches":
		pattern, err := regexp.Compile(s.Value)
		if err != nil {
			return nil // the machine says why
		}
		holds = pattern.Match
	default:
		return nil
	}
	return func(r Record) (bool, error) { return holds(r.Text(field)), nil }
}

func textSet(field int, list *ast.ArrayNode) test {
	set := map[string]bool{}
	for _, node := range list.Nodes {
		s, ok := node.(*ast.StringNode)
		if !ok {
			return nil
		}
		set[s.Value] = true
	}
	return func(r Record) (bool, error) { return set[string(r.Text(field))], nil }
}

func integerTest(field int, operator string, constant ast.Node) test {
	if operator == "in" {
		return integerSet(field, constant)
	}
	i, ok := constant.(*ast.IntegerNode)
	if !ok {
		return nil
	}
	want := i.Value
	switch operator {
	case "==":
		return func(r Record) (bool, error) { return r.Integer(field) == want, nil }
	case "!=":
		return func(r Record) (bool, error) { return r.Integer(field) != want, nil }
	case "<":
		return func(r Record) (bool, error) { return r.Integer(field) < want, nil }
	case "<=":
		return func(r Record) (bool, error) { return r.Integer(field) <= want, nil }
	case ">":
		return func(r Record) (bool, error) { return r.Integer(field) > want, nil }
	case ">=":
		return func(r Record) (bool, error) { return r.Integer(field) >= want, nil }
	}
	return nil
}

func integerSet(field int, constant ast.Node) test {
	switch n := constant.(type) {
	case *ast.BinaryNode:
		from, ok1 := n.Left.(*ast.IntegerNode)
		to, ok2 := n.Right.(*ast.IntegerNode)
		if n.Operator != ".." || !ok1 || !ok2 {
			return nil
		}
		return func(r Record) (bool, error) {
			i := r.Integer(field)
			return i >= from.Value && i <= to.Value, nil
		}
	case *ast.ArrayNode:
		set := map[int]bool{}
		for _, node := range n.Nodes {
			i, ok := node.(*ast.IntegerNode)
			if !ok {
				return nil
			}
			set[i.Value] = true
		}
		return func(r Record) (bool, error) { return set[r.Integer(field)], nil }
	}
	return nil
}
