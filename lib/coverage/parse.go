package coverage

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"archivestream/lib/documents"
)

// Parse reads an expression. Its errors show the place in it, over several lines.
func Parse(source string) (*Relation, error) {
	if strings.TrimSpace(source) == "" {
		return nil, fmt.Errorf("the expression is empty")
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, err
	}
	r := &reader{relation: &Relation{source: source}, source: tree.Source}
	if err := r.conjunction(tree.Node); err != nil {
		return nil, err
	}
	if len(r.relation.content) == 0 {
		return nil, r.at(tree.Node, "a content constraint is missing, such as containment(a, b) >= 0.7")
	}
	return r.relation, nil
}

// A reader makes a relation of a syntax tree.
type reader struct {
	relation *Relation
	source   file.Source
}

// at is an error that shows where the node stands.
func (r *reader) at(n ast.Node, format string, args ...any) error {
	e := &file.Error{Location: n.Location(), Message: fmt.Sprintf(format, args...)}
	return e.Bind(r.source)
}

// mirrored are the operators with their sides exchanged.
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

func (r *reader) conjunction(n ast.Node) error {
	b, ok := n.(*ast.BinaryNode)
	if !ok {
		return r.at(n, "a constraint is wanted: two sides that are compared")
	}
	switch b.Operator {
	case "&&", "and":
		if err := r.conjunction(b.Left); err != nil {
			return err
		}
		return r.conjunction(b.Right)
	case "||", "or":
		return r.at(n, "constraints are joined by && only")
	}
	if mirrored[b.Operator] == "" {
		return r.at(n, "%s compares nothing: one of == != < > <= >= is wanted", b.Operator)
	}
	left, right, operator := b.Left, b.Right, b.Operator
	if isCall(right) {
		left, right, operator = right, left, mirrored[operator]
	}
	if isCall(left) {
		return r.contentConstraint(b, left, right, operator)
	}
	return r.comparison(b)
}

func isCall(n ast.Node) bool {
	switch n.(type) {
	case *ast.CallNode, *ast.BuiltinNode:
		return true
	}
	return false
}

func (r *reader) contentConstraint(b *ast.BinaryNode, call, threshold ast.Node, operator string) error {
	measure, err := r.measure(call)
	if err != nil {
		return err
	}
	if operator != ">=" {
		return r.at(b, "a measure must be >= a threshold")
	}
	value := rational(threshold)
	if value == nil {
		return r.at(threshold, "the threshold must be a constant")
	}
	if value.Sign() <= 0 || value.Cmp(big.NewRat(1, 1)) > 0 {
		return r.at(threshold, "the threshold must be more than 0 and at most 1")
	}
	if value.Denom().Cmp(big.NewInt(1_000_000_000)) > 0 {
		return r.at(threshold, "the threshold has more than nine decimals")
	}
	r.relation.content = append(r.relation.content, newContent(measure, value.Num().Uint64(), value.Denom().Uint64()))
	return nil
}

func (r *reader) measure(n ast.Node) (string, error) {
	call, ok := n.(*ast.CallNode)
	if !ok {
		return "", r.at(n, "no such measure: containment, jaccard or dice is wanted")
	}
	callee, ok := call.Callee.(*ast.IdentifierNode)
	if !ok {
		return "", r.at(n, "no such measure: containment, jaccard or dice is wanted")
	}
	var order string
	for _, a := range call.Arguments {
		if id, ok := a.(*ast.IdentifierNode); ok {
			order += id.Value
		}
	}
	if len(call.Arguments) != 2 || order != "ab" && order != "ba" {
		return "", r.at(n, "%s is of both documents: %s(a, b)", callee.Value, callee.Value)
	}
	switch callee.Value {
	case "containment":
		return "containment(" + order[:1] + ", " + order[1:] + ")", nil
	case "jaccard", "dice":
		return callee.Value + "(a, b)", nil
	}
	return "", r.at(n, "%s is no measure: containment, jaccard or dice is wanted", callee.Value)
}

// rational gives the exact value of a constant, nil for what is none. A decimal that
// was written with up to 15 digits is the shortest one that means its float.
func rational(n ast.Node) *big.Rat {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return big.NewRat(int64(n.Value), 1)
	case *ast.FloatNode:
		v, ok := new(big.Rat).SetString(strconv.FormatFloat(n.Value, 'g', -1, 64))
		if !ok {
			return nil
		}
		return v
	case *ast.UnaryNode:
		if v := rational(n.Node); v != nil && n.Operator == "-" {
			return v.Neg(v)
		}
	case *ast.BinaryNode:
		x, y := rational(n.Left), rational(n.Right)
		if x != nil && y != nil && n.Operator == "/" && y.Sign() != 0 {
			return x.Quo(x, y)
		}
	}
	return nil
}

func (r *reader) comparison(b *ast.BinaryNode) error {
	left, err := r.term(b.Left)
	if err != nil {
		return err
	}
	right, err := r.term(b.Right)
	if err != nil {
		return err
	}
	c := comparison{operator: b.Operator, left: left, right: right, sides: left.sides() | right.sides(), source: b.String(), place: b.Location()}
	c.sameTerm = left.sides() != right.sides() && c.sides == sideA|sideB && left.sides()&right.sides() == 0 && left.form() == right.form()
	r.relation.metadata = append(r.relation.metadata, c)
	return nil
}

func (r *reader) term(n ast.Node) (term, error) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return &constant{documents.Value{Kind: documents.Integer, Int: int64(n.Value)}}, nil
	case *ast.FloatNode:
		return &constant{documents.Number(n.Value)}, nil
	case *ast.StringNode:
		return &constant{documents.Value{Kind: documents.String, Text: n.Value}}, nil
	case *ast.BoolNode:
		c := &constant{documents.Value{Kind: documents.Bool}}
		if n.Value {
			c.Int = 1
		}
		return c, nil
	case *ast.MemberNode:
		return r.attribute(n)
	case *ast.ChainNode:
		return r.term(n.Node)
	case *ast.UnaryNode:
		return r.signed(n)
	case *ast.BinaryNode:
		if strings.Contains("+-*/", n.Operator) {
			return r.arithmetic(n)
		}
		return nil, r.at(n, "%s cannot be part of a term: + - * / can", n.Operator)
	case *ast.IdentifierNode:
		if n.Value == "a" || n.Value == "b" {
			return nil, r.at(n, "an attribute of %s is wanted: %s.NAME", n.Value, n.Value)
		}
		return nil, r.at(n, "%s is unknown: attributes are a.NAME and b.NAME", n.Value)
	}
	if isCall(n) {
		return nil, r.at(n, "a measure cannot be calculated with")
	}
	return nil, r.at(n, "an attribute or a constant is wanted")
}

func (r *reader) signed(n *ast.UnaryNode) (term, error) {
	if n.Operator != "-" && n.Operator != "+" {
		return nil, r.at(n, "%s cannot be part of a term: + - * / can", n.Operator)
	}
	inner, err := r.term(n.Node)
	if err != nil {
		return nil, err
	}
	return &arithmetic{n.Operator, &constant{documents.Value{Kind: documents.Integer}}, inner}, nil
}

func (r *reader) arithmetic(n *ast.BinaryNode) (term, error) {
	left, err := r.term(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.term(n.Right)
	if err != nil {
		return nil, err
	}
	return &arithmetic{n.Operator, left, right}, nil
}

func (r *reader) attribute(n *ast.MemberNode) (term, error) {
	var path documents.Path
	for node := ast.Node(n); ; {
		member, ok := node.(*ast.MemberNode)
		if !ok {
			id, ok := node.(*ast.IdentifierNode)
			if !ok || id.Value != "a" && id.Value != "b" {
				return nil, r.at(node, "attributes are a.NAME and b.NAME")
			}
			side := sideA
			if id.Value == "b" {
				side = sideB
			}
			return &attribute{side, r.slot(path, n.Location()), path}, nil
		}
		name, ok := member.Property.(*ast.StringNode)
		if !ok {
			return nil, r.at(member, "the name of an attribute is wanted")
		}
		path = append(documents.Path{name.Value}, path...)
		node = member.Node
	}
}

// slot gives the attribute's place among the values of a document.
func (r *reader) slot(path documents.Path, place file.Location) int {
	for i, known := range r.relation.attributes {
		if strings.Join(known, "\x00") == strings.Join(path, "\x00") {
			return i
		}
	}
	r.relation.attributes = append(r.relation.attributes, path)
	r.relation.places = append(r.relation.places, place)
	return len(r.relation.attributes) - 1
}
