package where

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// An Expression is ready for evaluation. It is for one goroutine.
type Expression struct {
	source string
	schema *Schema
	root   ast.Node
	config *conf.Config
	used   []int // numbers of the fields, paths included, sorted
	paths  []string
	ranges []Range
	byURL  bool // ranges are derived from URLs or hosts

	match func(Record) (bool, error) // of a condition
	whole *machine                   // of a value
}

// CompileCondition compiles an expression that is true or false.
func CompileCondition(source string, s *Schema) (*Expression, error) {
	e, err := compile(source, s, reflect.Bool)
	if err != nil {
		return nil, err
	}
	// The machine's optimizer changes the tree.
	e.ranges = everything
	if !s.Paths && &s.Fields[0] == &captureFields[0] {
		e.ranges = e.keyRanges(e.root)
	}
	e.match, err = e.condition(e.root)
	return e, err
}

// CompileValue compiles an expression of any type.
func CompileValue(source string, s *Schema) (*Expression, error) {
	e, err := compile(source, s, reflect.Invalid)
	if err != nil {
		return nil, err
	}
	e.whole, err = e.machine(e.root)
	return e, err
}

// String gives the expression as it was written.
func (e *Expression) String() string { return e.source }

// Fields gives the names of the schema's fields that the expression uses.
func (e *Expression) Fields() []string {
	var names []string
	for _, f := range e.used {
		if f < len(e.schema.Fields) {
			names = append(names, e.schema.Fields[f].Name)
		}
	}
	return names
}

// Paths gives the dotted paths that the expression uses, in the order in which they
// first appear.
func (e *Expression) Paths() []string { return e.paths }

// Match evaluates a condition. Its error says what cannot be computed, a
// division of text, say. Where a value is missing that a path names, what cannot be
// computed is false.
func (e *Expression) Match(r Record) (bool, error) { return e.match(r) }

// Value evaluates an expression.
func (e *Expression) Value(r Record) (any, error) {
	if id, ok := e.root.(*ast.IdentifierNode); ok {
		return e.value(r, e.number(id.Value)), nil
	}
	return e.whole.run(r)
}

// disabled are functions of the language whose result is not the same each time.
var disabled = []string{"now"}

func compile(source string, s *Schema, want reflect.Kind) (*Expression, error) {
	e := &Expression{source: source, schema: s, config: conf.CreateNew()}
	if strings.TrimSpace(source) == "" {
		return nil, errors.New("the expression is empty")
	}
	for _, name := range disabled {
		delete(e.config.Builtins, name)
		e.config.Disabled[name] = true
	}
	addFunctions(e.config)
	tree, err := parser.ParseWithConfig(source, e.config)
	if err != nil {
		return nil, readable(err)
	}
	if err := e.resolve(tree); err != nil {
		return nil, err
	}
	env := map[string]any{}
	for _, f := range e.used {
		env[e.name(f)] = e.kind(f).zero()
	}
	e.config.WithEnv(env)
	for _, f := range e.used {
		if e.kind(f) == Any {
			e.config.Env.Fields[e.name(f)] = nature.FromType(nil)
		}
	}
	e.config.Expect, e.config.ExpectAny = want, true
	if want == reflect.Invalid {
		e.config.ExpectAny = false
	}
	if _, err := checker.Check(tree, e.config); err != nil {
		return nil, readable(err)
	}
	e.root = tree.Node
	return e, nil
}

// name gives the name of a field or path.
func (e *Expression) name(field int) string {
	if n := len(e.schema.Fields); field >= n {
		return e.paths[field-n]
	}
	return e.schema.Fields[field].Name
}

func (e *Expression) kind(field int) Kind {
	if field >= len(e.schema.Fields) {
		return Any
	}
	return e.schema.Fields[field].Kind
}

// number is the opposite of name; -1 where the name is of neither.
func (e *Expression) number(name string) int {
	if i := e.schema.field(name); i >= 0 {
		return i
	}
	if i := slices.Index(e.paths, name); i >= 0 {
		return len(e.schema.Fields) + i
	}
	return -1
}

// value gives a field's value as the language has it.
func (e *Expression) value(r Record, field int) any {
	switch e.kind(field) {
	case Text:
		return string(r.Text(field))
	case Integer:
		return r.Integer(field)
	}
	return r.Any(field)
}

// readable gives the message of an error of the language in one line, with the
// place behind it.
func readable(err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return err
	}
	message := at.Message
	if at.Snippet == "" {
		return errors.New(message)
	}
	place := fmt.Sprintf("column %d", at.Column+1)
	if at.Line > 1 {
		place = fmt.Sprintf("line %d, %s", at.Line, place)
	}
	return fmt.Errorf("%s (%s)%s", message, place, strings.ReplaceAll(at.Snippet, "\n | ", "\n  "))
}
