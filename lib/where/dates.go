package where

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/expr-lang/expr/ast"
)

// dateOperators compare a timestamp with a date.
var dateOperators = map[string]bool{"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true, "startsWith": true, "in": true}

// A dateReader makes the digits that timestamps have of the dates that they are
// compared with.
type dateReader struct{ *resolver }

// Visit is called for each node behind those below it.
func (d dateReader) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || !dateOperators[n.Operator] {
		return
	}
	constant := &n.Right
	if !d.isTimestamp(n.Left) {
		if constant = &n.Left; !d.isTimestamp(n.Right) || reversed[n.Operator] == "" {
			return
		}
	}
	if list, ok := (*constant).(*ast.ArrayNode); ok && n.Operator == "in" {
		d.any(node, n.Left, list)
		return
	}
	if !d.date(constant) || n.Operator != "==" && n.Operator != "!=" {
		return
	}
	// A date that is shorter than a timestamp is all of its captures.
	field, text := n.Left, n.Right
	if constant == &n.Left {
		field, text = text, field
	}
	if s := text.(*ast.StringNode); len(s.Value) < timestampDigits {
		var all ast.Node = &ast.BinaryNode{Operator: "startsWith", Left: field, Right: s}
		if n.Operator == "!=" {
			all = &ast.UnaryNode{Operator: "!", Node: all}
		}
		ast.Patch(node, all)
	}
}

func (d dateReader) isTimestamp(node ast.Node) bool {
	id, ok := node.(*ast.IdentifierNode)
	return ok && id.Value == "timestamp" && !d.locals[id.Value]
}

// any makes a comparison with each date of a list.
func (d dateReader) any(node *ast.Node, field ast.Node, list *ast.ArrayNode) {
	var all ast.Node
	for i := range list.Nodes {
		if !d.date(&list.Nodes[i]) {
			return
		}
		operator := "=="
		if len(list.Nodes[i].(*ast.StringNode).Value) < timestampDigits {
			operator = "startsWith"
		}
		var one ast.Node = &ast.BinaryNode{Operator: operator, Left: field, Right: list.Nodes[i]}
		if all != nil {
			one = &ast.BinaryNode{Operator: "||", Left: all, Right: one}
		}
		all = one
	}
	if all != nil {
		ast.Patch(node, all)
	}
}

// date makes digits of a constant, and reports whether there is one. What is no date
// is an error.
func (d dateReader) date(node *ast.Node) bool {
	text := ""
	switch n := (*node).(type) {
	case *ast.StringNode:
		if text = n.Value; text == "" { // of a line without one
			return false
		}
	case *ast.IntegerNode:
		text = strconv.Itoa(n.Value)
	default:
		return false
	}
	digits, err := dateDigits(text)
	if err != nil {
		d.fail(*node, "%v", err)
		return false
	}
	ast.Patch(node, &ast.StringNode{Value: digits})
	return true
}

// timestampDigits is how long a timestamp is.
const timestampDigits = len(timestampForm)

const timestampForm = "20060102150405"

// isoForms are the dates with something between their parts that are taken, as far as
// they go, in UTC unless they say otherwise (ISO 8601, RFC 3339).
var isoForms = []string{
	"2006-01", "2006-01-02", "2006-01-02T15", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00",
}

// dateDigits returns the digits of a date: YYYYMMDDhhmmss or its begin, or in ISO form.
func dateDigits(text string) (string, error) {
	bad := fmt.Errorf("%q is no date: expected 2014-06-01, 2014-06-01T12:30:00Z or up to 14 digits as in 20140601", text)
	if strings.Trim(text, "0123456789") == "" {
		for at, most := range map[int]string{4: "12", 6: "31", 8: "23", 10: "59", 12: "60"} {
			if len(text) >= at+2 && text[at:at+2] > most {
				return "", bad
			}
		}
		if len(text) > timestampDigits {
			return "", bad
		}
		return text, nil
	}
	iso := strings.Replace(strings.ToUpper(text), " ", "T", 1)
	for _, form := range isoForms {
		t, err := time.Parse(form, iso)
		if err != nil {
			continue
		}
		digits := strings.Count(form, "0") // as many as the form has
		for i := range form {
			if form[i] >= '1' && form[i] <= '9' {
				digits++
			}
		}
		if i := strings.Index(form, "Z07"); i >= 0 {
			digits -= len("0700")
		}
		return t.UTC().Format(timestampForm)[:digits], nil
	}
	return "", bad
}
