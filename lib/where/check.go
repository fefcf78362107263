package where

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"

	"archivestream/lib/stage"
)

// near returns what to say after a name that is not known; nothing where no other is
// like it.
func near(name string, known []string) string {
	if other := stage.Nearest(name, known); other != "" {
		return fmt.Sprintf(": did you mean %s?", other)
	}
	return ""
}

// A kindChecker finds what the language lets pass, though it never holds: functions
// that are not known by near names, numbers where a text is needed, and the reverse.
type kindChecker struct{ *resolver }

// Visit is called for each node behind those below it.
func (k kindChecker) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.CallNode:
		k.call(n)
	case *ast.BinaryNode:
		if list, ok := n.Right.(*ast.ArrayNode); ok && n.Operator == "in" {
			k.list(n.Left, list)
		}
	}
}

// call checks a function of a URL.
func (k kindChecker) call(n *ast.CallNode) {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok || k.locals[callee.Value] {
		return
	}
	if k.expression.config.Functions[callee.Value] == nil {
		names := slices.Sorted(maps.Keys(k.expression.config.Functions))
		names = append(names, slices.Sorted(maps.Keys(k.expression.config.Builtins))...)
		k.fail(n, "unknown name %s%s", callee.Value, near(callee.Value, names))
		return
	}
	for _, argument := range n.Arguments {
		if kind, ok := k.kindOf(argument); ok && kind == Integer {
			k.fail(argument, "%s needs a text, not a number", callee.Value)
		}
	}
}

// list checks the constants that a field is looked up in.
func (k kindChecker) list(field ast.Node, list *ast.ArrayNode) {
	want, ok := k.kindOf(field)
	if !ok {
		return
	}
	for _, node := range list.Nodes {
		kind, ok := k.kindOf(node)
		if _, isNil := node.(*ast.NilNode); ok && kind != want || isNil {
			k.fail(node, "this is compared with a %s", map[Kind]string{Text: "text", Integer: "number"}[want])
		}
	}
}

// kindOf returns the kind of a field or constant.
func (k kindChecker) kindOf(node ast.Node) (Kind, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return Text, true
	case *ast.IntegerNode, *ast.FloatNode:
		return Integer, true
	case *ast.IdentifierNode:
		if i := k.expression.schema.field(n.Value); i >= 0 && !k.locals[n.Value] {
			kind := k.expression.schema.Fields[i].Kind
			return kind, kind != Any
		}
	}
	return Any, false
}
