package jobs

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A shellPlace is a place of a script where text from outside could be run or be taken
// for several words, if it got there.
type shellPlace struct {
	where string // FILE KIND WHAT, as in the table of shellAllowed
	line  uint
}

// A shellScope is a function of a file; what is in none has no function.
type shellScope struct{ file, function string }

// A shellVariable is one name, local to a function, or global, of no scope.
type shellVariable struct {
	scope shellScope
	name  string
}

// A shellReader reads scripts for what is known of their variables, and then for what
// they do with these.
type shellReader struct {
	file    string
	locals  map[shellVariable]bool
	keyed   map[string]bool // names of associative arrays
	words   map[shellVariable][]shellValue
	held    map[shellVariable]bool // variables that are being looked at
	checked map[shellVariable]bool // those that job_check_number looks at
	// setters are functions that set the variable which their first word names: where they
	// are called it must be a name that the script has.
	setters map[string]bool
	found   []shellPlace
}

// A shellValue is what a variable is set to: a word, or text that nothing is known of.
type shellValue struct {
	scope shellScope
	word  *syntax.Word
	what  shellKind
}

type shellKind int

const (
	asWord shellKind = iota
	asNumber
	asText
)

// shellNumbers are functions that set the variable which their first word names to an
// integer, or to nothing: they check it themselves.
var shellNumbers = []string{"job_set_counter", "job_set_line_count", "job_set_bytes", "job_set_lines"}

// shellCounts are programs and functions that print an integer and nothing else.
var shellCounts = []string{"job_counter", "wc", "nproc", "number"}

// shellOwn are variables of the shell that are integers.
var shellOwn = []string{"#", "?", "$", "!", "SECONDS", "RANDOM", "EUID", "UID", "BASHPID", "LINENO", "EPOCHREALTIME"}

func (r *shellReader) add(kind, what string, at syntax.Pos) {
	r.found = append(r.found, shellPlace{r.file + " " + kind + " " + what, at.Line()})
}

// variable returns which one a name stands for in a function.
func (r *shellReader) variable(s shellScope, name string) shellVariable {
	if v := (shellVariable{s, name}); r.locals[v] {
		return v
	}
	return shellVariable{shellScope{}, name}
}

// scopes calls visit for each node with the function that it is in.
func scopes(f *syntax.File, file string, visit func(shellScope, syntax.Node)) {
	var stack []shellScope
	current := shellScope{file: file}
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			current = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, current)
		if d, ok := n.(*syntax.FuncDecl); ok {
			current.function = d.Name.Value
		}
		visit(current, n)
		return true
	})
}

// learnLocals notes what is local to a function, and which arrays are associative.
func (r *shellReader) learnLocals(f *syntax.File) {
	scopes(f, r.file, func(s shellScope, n syntax.Node) {
		d, ok := n.(*syntax.DeclClause)
		if !ok {
			return
		}
		for _, a := range d.Args {
			if a.Name == nil {
				if a.Value != nil && strings.HasPrefix(a.Value.Lit(), "-") && strings.Contains(a.Value.Lit(), "A") {
					for _, b := range d.Args {
						if b.Name != nil {
							r.keyed[b.Name.Value] = true
						}
					}
				}
				continue
			}
			if d.Variant.Value == "local" || s.function != "" && d.Variant.Value == "declare" {
				r.locals[shellVariable{s, a.Name.Value}] = true
			}
		}
	})
}

// learnValues notes what variables are set to.
func (r *shellReader) learnValues(f *syntax.File) {
	set := func(s shellScope, name string, v shellValue) {
		v.scope = s
		key := r.variable(s, name)
		r.words[key] = append(r.words[key], v)
	}
	scopes(f, r.file, func(s shellScope, n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Assign:
			switch {
			case n.Name == nil:
			case n.Array != nil:
				for _, e := range n.Array.Elems {
					set(s, n.Name.Value, shellValue{word: e.Value})
				}
			default:
				set(s, n.Name.Value, shellValue{word: n.Value})
			}
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && isName(w.Lit()) && n.Op == syntax.Assgn {
				set(s, w.Lit(), shellValue{what: asNumber}) // what it is made of is looked at
			}
		case *syntax.WordIter:
			for _, w := range n.Items {
				set(s, n.Name.Value, shellValue{word: w})
			}
			if len(n.Items) == 0 {
				set(s, n.Name.Value, shellValue{what: asText}) // the words of the command line
			}
		case *syntax.CallExpr:
			name, rest := command(n)
			switch {
			case name == "read" || name == "mapfile" || name == "readarray":
				for _, w := range rest {
					if isName(w.Lit()) {
						set(s, w.Lit(), shellValue{what: asText})
					}
				}
			case name == "printf" && len(rest) > 1 && rest[0].Lit() == "-v" && isName(rest[1].Lit()):
				set(s, rest[1].Lit(), shellValue{what: asText})
			case len(rest) > 1 && name == "job_check_number":
				if p := onlyParam(rest[1]); p != nil && p.Index == nil && isName(p.Param.Value) {
					r.checked[r.variable(s, p.Param.Value)] = true
				}
			case len(rest) > 0 && slices.Contains(shellNumbers, name):
				set(s, rest[0].Lit(), shellValue{what: asNumber})
			case len(rest) > 0 && r.setters[name]:
				set(s, rest[0].Lit(), shellValue{what: asText})
			}
		}
	})
}

// onlyParam returns the expansion that a word is, in quotes or not; nil if it is anything
// else.
func onlyParam(w *syntax.Word) *syntax.ParamExp {
	if len(w.Parts) != 1 {
		return nil
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, _ := part.(*syntax.ParamExp)
	return p
}

// command returns the name of a command and the words after it, without what only says
// how it is run.
func command(n *syntax.CallExpr) (string, []*syntax.Word) {
	args := n.Args
	for len(args) > 1 && slices.Contains([]string{"builtin", "command", "exec"}, args[0].Lit()) {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", nil
	}
	return args[0].Lit(), args[1:]
}

var shellName = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

func isName(s string) bool { return shellName.MatchString(s) }

// isNumber reports whether a variable is known to be an integer or nothing: all that it
// is set to, in any of the scripts, is.
func (r *shellReader) isNumber(s shellScope, name string) bool {
	if slices.Contains(shellOwn, name) {
		return true
	}
	v := r.variable(s, name)
	if r.checked[v] || r.held[v] {
		return true // what it is set to from itself
	}
	r.held[v] = true
	defer delete(r.held, v)
	values := r.words[v]
	if len(values) == 0 {
		return false
	}
	for _, value := range values {
		if value.what == asText || value.what == asWord && !r.isNumeric(value.scope, value.word) {
			return false
		}
	}
	return true
}

// isNumeric reports whether a word is an integer or nothing.
func (r *shellReader) isNumeric(s shellScope, w *syntax.Word) bool {
	if w == nil {
		return true
	}
	return r.arePartsNumeric(s, w.Parts)
}

var shellDigits = regexp.MustCompile(`^-?[0-9]*$`)

func (r *shellReader) arePartsNumeric(s shellScope, parts []syntax.WordPart) bool {
	for _, p := range parts {
		var ok bool
		switch p := p.(type) {
		case *syntax.Lit:
			ok = shellDigits.MatchString(p.Value)
		case *syntax.SglQuoted:
			ok = shellDigits.MatchString(p.Value)
		case *syntax.DblQuoted:
			ok = r.arePartsNumeric(s, p.Parts)
		case *syntax.ArithmExp:
			ok = true
		case *syntax.ParamExp:
			ok = r.isParamNumeric(s, p)
		case *syntax.CmdSubst:
			ok = printsNumber(p)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (r *shellReader) isParamNumeric(s shellScope, p *syntax.ParamExp) bool {
	switch {
	case p.Length:
		return true
	case p.Names != 0:
		return false
	case p.Excl:
		w, ok := p.Index.(*syntax.Word) // the places of an array
		return ok && (w.Lit() == "@" || w.Lit() == "*") && !r.keyed[p.Param.Value]
	case p.Exp != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull):
		return r.isNumeric(s, p.Exp.Word)
	case p.Exp != nil && !r.isNumeric(s, p.Exp.Word):
		return false
	}
	return r.isNumber(s, p.Param.Value)
}

// printsNumber reports whether a command substitution ends with a command that prints an
// integer.
func printsNumber(c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 {
		return false
	}
	last := c.Stmts[0].Cmd
	for {
		b, ok := last.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		last = b.Y.Cmd
	}
	call, ok := last.(*syntax.CallExpr)
	if !ok {
		return false
	}
	name, _ := command(call)
	return slices.Contains(shellCounts, name)
}
