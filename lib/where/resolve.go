package where

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// resolve finds the fields and paths that a tree uses, and makes one identifier of
// each path.
func (e *Expression) resolve(tree *parser.Tree) error {
	r := resolver{expression: e, locals: map[string]bool{}, functions: map[ast.Node]bool{}}
	ast.Walk(&tree.Node, localFinder{r.locals})
	if e.schema.Paths {
		r.join(&tree.Node)
	}
	ast.Walk(&tree.Node, functionFinder{r.functions})
	ast.Walk(&tree.Node, &r)
	if len(e.schema.Fields) > 0 && &e.schema.Fields[0] == &captureFields[0] {
		ast.Walk(&tree.Node, dateReader{&r})
		ast.Walk(&tree.Node, kindChecker{&r})
	}
	if r.err != nil {
		return readable(r.err.Bind(tree.Source))
	}
	slices.Sort(e.used)
	e.used = slices.Compact(e.used)
	return nil
}

// A localFinder notes the names of variables that an expression declares.
type localFinder struct{ names map[string]bool }

func (f localFinder) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.VariableDeclaratorNode); ok {
		f.names[n.Name] = true
	}
}

// A functionFinder notes the identifiers that are called.
type functionFinder struct{ called map[ast.Node]bool }

func (f functionFinder) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.CallNode); ok {
		f.called[n.Callee] = true
	}
}

// A resolver notes the names that an expression uses.
type resolver struct {
	expression *Expression
	locals     map[string]bool
	functions  map[ast.Node]bool
	err        *file.Error
}

// Visit is called for each node behind those below it.
func (r *resolver) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.IdentifierNode)
	if !ok || r.locals[n.Value] || r.functions[n] {
		return
	}
	e := r.expression
	if i := e.schema.field(n.Value); i >= 0 {
		e.used = append(e.used, i)
		return
	}
	if !e.schema.Paths || strings.HasPrefix(n.Value, "$") {
		hint := near(n.Value, e.names())
		if hint == "" {
			hint = ":"
		}
		r.fail(n, "unknown name %s%s %s are known", n.Value, hint, e.known())
		return
	}
	i := slices.Index(e.paths, n.Value)
	if i < 0 {
		i = len(e.paths)
		e.paths = append(e.paths, n.Value)
	}
	e.used = append(e.used, len(e.schema.Fields)+i)
}

func (r *resolver) fail(at ast.Node, format string, args ...any) {
	if r.err == nil {
		r.err = &file.Error{Location: at.Location(), Message: fmt.Sprintf(format, args...)}
	}
}

// known lists the names that the schema has.
func (e *Expression) known() string { return strings.Join(e.names(), ", ") }

func (e *Expression) names() []string {
	names := make([]string, len(e.schema.Fields))
	for i := range names {
		names[i] = e.schema.Fields[i].Name
	}
	return names
}

// join puts an identifier in the place of each longest chain of names, and of each
// value("…"). It goes from above, so that no chain is taken apart.
func (r *resolver) join(node *ast.Node) {
	if path, ok := r.path(*node); ok {
		ast.Patch(node, &ast.IdentifierNode{Value: path})
		return
	}
	for _, below := range children(*node) {
		r.join(below)
	}
}

// path gives the dotted path that a node is.
func (r *resolver) path(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return n.Value, !r.locals[n.Value] && r.expression.schema.field(n.Value) < 0 && !strings.HasPrefix(n.Value, "$")
	case *ast.MemberNode:
		name, ok := n.Property.(*ast.StringNode)
		if !ok || n.Method {
			return "", false
		}
		above, ok := r.path(n.Node)
		return above + "." + name.Value, ok
	case *ast.ChainNode:
		return r.path(n.Node)
	case *ast.CallNode:
		callee, ok := n.Callee.(*ast.IdentifierNode)
		if !ok || callee.Value != "value" || len(n.Arguments) != 1 {
			return "", false
		}
		name, ok := n.Arguments[0].(*ast.StringNode)
		if !ok {
			return "", false
		}
		return name.Value, true
	}
	return "", false
}

// children gives the nodes right below one that can hold a path.
func children(node ast.Node) []*ast.Node {
	many := func(nodes []ast.Node) (all []*ast.Node) {
		for i := range nodes {
			all = append(all, &nodes[i])
		}
		return all
	}
	switch n := node.(type) {
	case *ast.UnaryNode:
		return []*ast.Node{&n.Node}
	case *ast.BinaryNode:
		return []*ast.Node{&n.Left, &n.Right}
	case *ast.ChainNode:
		return []*ast.Node{&n.Node}
	case *ast.MemberNode:
		return []*ast.Node{&n.Node, &n.Property}
	case *ast.SliceNode:
		all := []*ast.Node{&n.Node}
		if n.From != nil {
			all = append(all, &n.From)
		}
		if n.To != nil {
			all = append(all, &n.To)
		}
		return all
	case *ast.CallNode:
		return many(n.Arguments)
	case *ast.BuiltinNode:
		return many(n.Arguments)
	case *ast.PredicateNode:
		return []*ast.Node{&n.Node}
	case *ast.ConditionalNode:
		return []*ast.Node{&n.Cond, &n.Exp1, &n.Exp2}
	case *ast.VariableDeclaratorNode:
		return []*ast.Node{&n.Value, &n.Expr}
	case *ast.SequenceNode:
		return many(n.Nodes)
	case *ast.ArrayNode:
		return many(n.Nodes)
	case *ast.MapNode:
		return many(n.Pairs)
	case *ast.PairNode:
		return []*ast.Node{&n.Key, &n.Value}
	}
	return nil
}
