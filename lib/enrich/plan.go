package enrich

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/webpage"
	"archivestream/lib/where"
)

// A node is a value that a plan names: the tree of nodes is that of the output.
type node struct {
	name     string
	path     string
	above    *node // nil: the record
	below    []*node
	number   int // of the value in a Record
	function *function
	derive   derivation
	gives    Kind // Absent: known only when it is there
	asked    bool // it appears in the output

	expression int // number of the --map-enrich expression, from 1
	program    int // number of the external program, from 1
}

// A Plan says what is derived from records and which of them are kept. It is the
// same for all goroutines.
type Plan struct {
	root  node // of the record, no value
	nodes []*node

	keeps    []source
	values   []source // of --map-enrich
	programs []program
	page     webpage.Want // what is wanted of a page
}

// A source is an expression, compiled anew for each goroutine.
type source struct{ option, text string }

// An Options is what a plan is made of, as the options of enrich-captures say it.
type Options struct {
	Enrich     []string // paths, several separated by commas
	MapEnrich  []string // PATH NAME = EXPR
	EnrichWith []string // PATH NAME = COMMAND
	Keep       []string // conditions
	Columns    []string // NAME = EXPR
	Each       string   // path of a list of which each element makes a row
}

// names of sets of values.
var sets = map[string][]string{
	// What the paper's Response gives.
	"response": {"recordHeader", "httpHeader", "payload"},
}

// newPlan makes the plan of some options.
func newPlan(o Options) (*Plan, error) {
	p := &Plan{}
	for _, names := range lines(o.Enrich) {
		for _, path := range splitList(names) {
			for _, one := range expand(path) {
				n, err := p.node(one)
				if err != nil {
					return nil, stage.Usage("--enrich: %v", err)
				}
				if n.gives == Container {
					return nil, stage.Usage("--enrich %s: that has no value of its own, only others derived from it: %s", one, p.derived(n))
				}
				n.asked = true
			}
		}
	}
	if err := p.assignments(&o); err != nil {
		return nil, err
	}
	for _, text := range lines(o.Keep) {
		p.keeps = append(p.keeps, source{"--keep", text})
	}
	for _, text := range p.keeps {
		if err := p.checkExpression(text, true); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// assignments takes --map-enrich and --enrich-with. Each may start from what others
// of them make, whatever their order.
func (p *Plan) assignments(o *Options) error {
	type assignment struct {
		option, text string
		add          func(string) error
	}
	var pending []assignment
	for _, text := range lines(o.MapEnrich) {
		pending = append(pending, assignment{"--map-enrich", text, p.mapEnrich})
	}
	for _, text := range lines(o.EnrichWith) {
		pending = append(pending, assignment{"--enrich-with", text, p.enrichWith})
	}
	for len(pending) > 0 {
		var first error
		var left []assignment
		for _, a := range pending {
			if err := a.add(a.text); err != nil {
				left = append(left, a)
				if first == nil {
					first = stage.Usage("%s %q: %v", a.option, a.text, err)
				}
			}
		}
		if len(left) == len(pending) {
			return first
		}
		pending = left
	}
	return nil
}

// derived lists what can be derived from a node that is a container.
func (p *Plan) derived(n *node) string {
	var names []string
	for name, all := range functions {
		for _, f := range all {
			if f.of == n.function.name {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func expand(path string) []string {
	if set, ok := sets[path]; ok {
		return set
	}
	return []string{path}
}

// lines gives the lines of texts: options come one by one, or several in one
// variable of the environment.
func lines(texts []string) []string {
	var all []string
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, line)
			}
		}
	}
	return all
}

// splitList parts a list at its commas; those in parentheses or quotes belong to
// an element.
func splitList(list string) []string {
	var all []string
	depth, start := 0, 0
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '"' || c == '\'' || c == '`':
			i += quotedLength(list[i:])
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth <= 0:
			all = append(all, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	all = append(all, strings.TrimSpace(list[start:]))
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// quotedLength returns the number of bytes from the quote at the start of a text to
// the one that closes it; 0 where none does.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return i
		case text[i] == '\\' && text[0] != '`':
			i++
		}
	}
	return 0
}

// node gives the node of a path, and makes it and those above it if need be. The
// first element may be one that does not start from the record: the path of what it
// starts from goes before then.
func (p *Plan) node(path string) (*node, error) {
	elements, err := splitPath(path)
	if err != nil {
		return nil, err
	}
	if p.child(&p.root, elements[0]) == nil {
		if f, _ := find(elements[0], nil); f == nil {
			name, _, has := splitArgument(elements[0])
			i := slices.IndexFunc(functions[name], func(f *function) bool { return has == (f.argument != "") })
			if i < 0 {
				return nil, fmt.Errorf("nothing is called %s%s", elements[0], others(elements[0]))
			}
			above, err := splitPath(functions[name][i].from)
			if err != nil {
				return nil, err
			}
			elements = append(above, elements...)
		}
	}
	at := &p.root
	for _, element := range elements {
		if at, err = p.below(at, element); err != nil {
			return nil, fmt.Errorf("path %s: %w", path, err)
		}
	}
	return at, nil
}

func (p *Plan) child(above *node, name string) *node {
	for _, n := range above.below {
		if n.name == name {
			return n
		}
	}
	return nil
}

// below gives the node of an element below another one.
func (p *Plan) below(above *node, element string) (*node, error) {
	if n := p.child(above, element); n != nil {
		return n, nil
	}
	f, argument := find(element, above)
	if f == nil {
		if above == &p.root {
			return nil, fmt.Errorf("nothing is called %s%s", element, others(element))
		}
		return nil, fmt.Errorf("%s cannot be derived from %s%s", element, above.path, above.nearest(element))
	}
	derive := f.derive
	if f.make != nil {
		var err error
		if derive, err = f.make(argument); err != nil {
			return nil, fmt.Errorf("%s: %w", element, err)
		}
	}
	if f.own != "" && !slices.ContainsFunc(p.programs, func(q program) bool { return q.own == f.own }) {
		p.programs = append(p.programs, program{command: "enrich-captures " + f.own, own: f.own})
	}
	p.page |= pageWants[f.name]
	return p.add(above, element, node{function: f, derive: derive, gives: f.gives}), nil
}

func (p *Plan) add(above *node, name string, n node) *node {
	n.name, n.path, n.number = name, name, len(p.nodes)
	if above != &p.root {
		n.above, n.path = above, above.path+"."+name
	}
	above.below = append(above.below, &n)
	p.nodes = append(p.nodes, &n)
	return &n
}

// assignment takes PATH NAME = REST apart.
func (p *Plan) assignment(text string) (above *node, name, rest string, err error) {
	left, rest, ok := strings.Cut(text, "=")
	words := strings.Fields(left)
	if !ok || len(words) < 2 || strings.TrimSpace(rest) == "" {
		return nil, "", "", errors.New("PATH NAME = … is wanted")
	}
	name = words[len(words)-1]
	path := strings.Join(words[:len(words)-1], " ")
	if strings.ContainsAny(name, ".()\"\\") {
		return nil, "", "", fmt.Errorf("name %q: letters, digits, dashes and underscores are wanted", name)
	}
	if above, err = p.node(path); err != nil {
		return nil, "", "", err
	}
	if p.child(above, name) != nil {
		return nil, "", "", fmt.Errorf("%s.%s is there already", above.path, name)
	}
	return above, name, strings.TrimSpace(rest), nil
}

func (p *Plan) mapEnrich(text string) error {
	above, name, expression, err := p.assignment(text)
	if err != nil {
		return err
	}
	s := source{"--map-enrich", expression}
	if err := p.checkPaths(s, false); err != nil {
		return err
	}
	p.values = append(p.values, s)
	number := len(p.values)
	n := p.add(above, name, node{expression: number, asked: true})
	n.derive = func(r *Record, _, out *Value) error { return r.mapped(number-1, out) }
	return nil
}

func (p *Plan) enrichWith(text string) error {
	above, name, command, err := p.assignment(text)
	if err != nil {
		return err
	}
	p.programs = append(p.programs, program{command: command})
	number := len(p.programs)
	n := p.add(above, name, node{program: number, asked: true})
	n.derive = func(r *Record, from, out *Value) error { return r.external(number-1, from, out) }
	return nil
}

// checkExpression compiles an expression to see its errors, and makes the nodes of
// the paths that it uses.
func (p *Plan) checkExpression(s source, condition bool) error {
	if err := p.checkPaths(s, condition); err != nil {
		return stage.Usage("%s %s: %v", s.option, s.text, err)
	}
	return nil
}

func (p *Plan) checkPaths(s source, condition bool) error {
	e, err := s.compile(condition)
	if err != nil {
		return err
	}
	for _, path := range e.Paths() {
		if _, err := p.node(path); err != nil {
			return err
		}
	}
	return nil
}

func (s source) compile(condition bool) (*where.Expression, error) {
	if condition {
		return where.CompileCondition(s.text, &where.Enriched)
	}
	return where.CompileValue(s.text, &where.Enriched)
}
