package where

import (
	"errors"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// A machine evaluates a part of an expression that has no shorter way.
type machine struct {
	expression *Expression
	program    *vm.Program
	vm         vm.VM
	env        map[string]any
	fields     []int // that the part uses
	paths      bool  // some of them are paths
}

func (e *Expression) machine(node ast.Node) (*machine, error) {
	m := &machine{expression: e, env: map[string]any{}}
	ast.Walk(&node, fieldFinder{m})
	if err := optimizer.Optimize(&node, e.config); err != nil {
		return nil, e.located(err)
	}
	program, err := compiler.Compile(&parser.Tree{Node: node, Source: file.NewSource(e.source)}, e.config)
	if err != nil {
		return nil, e.located(err)
	}
	m.program = program
	return m, nil
}

// located gives an error of the language with the place.
func (e *Expression) located(err error) error {
	var at *file.Error
	if errors.As(err, &at) && at.Snippet == "" {
		at.Bind(file.NewSource(e.source))
	}
	return readable(err)
}

// A fieldFinder notes the fields of a part.
type fieldFinder struct{ *machine }

func (f fieldFinder) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.IdentifierNode); ok {
		if i := f.expression.number(n.Value); i >= 0 {
			f.fields = append(f.fields, i)
			f.paths = f.paths || i >= len(f.expression.schema.Fields)
			f.env[n.Value] = nil
		}
	}
}

// run evaluates the part.
func (m *machine) run(r Record) (any, error) {
	for _, f := range m.fields {
		m.env[m.expression.name(f)] = m.expression.value(r, f)
	}
	value, err := m.vm.Run(m.program, m.env)
	if err != nil {
		return nil, m.expression.located(err)
	}
	return value, nil
}

// test evaluates a part that is a condition.
func (m *machine) test(r Record) (bool, error) {
	value, err := m.run(r)
	if err != nil && m.lacks() {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	truth, ok := value.(bool)
	if !ok {
		if value == nil && m.paths {
			return false, nil
		}
		return false, errors.New("the expression is neither true nor false")
	}
	return truth, nil
}

// lacks says whether a path has no value.
func (m *machine) lacks() bool {
	if !m.paths {
		return false
	}
	for _, f := range m.fields {
		if f >= len(m.expression.schema.Fields) && m.env[m.expression.name(f)] == nil {
			return true
		}
	}
	return false
}
