package enrich

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/where"
)

// A function derives a value from another one. Each has a file of its own, which
// registers it; nothing else needs to know it.
type function struct {
	name     string // the last element of the path, without its argument
	from     string // path of what it starts from unless the user says; empty: the record
	takes    kinds  // what it can start from; 0: the record itself
	of       string // name of the only function whose value it can start from; empty: any
	gives    Kind
	argument string // what stands in parentheses behind the name, for --help; empty: nothing
	summary  string // for --help
	own      string // option that makes this program one that derive asks; empty: none

	// derive computes the value. An error stays on the record, with what could be
	// computed. make gives derive for an argument instead.
	derive derivation
	make   func(argument string) (derivation, error)

	// past derives from what the value of a function starts from, by that function's
	// name, without computing that value itself.
	past map[string]derivation
}

type derivation func(r *Record, from *Value, out *Value) error

// functions are those that there are, by name. Functions of one name differ in what
// they take.
var functions = map[string][]*function{}

func register(f function) bool {
	functions[f.name] = append(functions[f.name], &f)
	return true
}

// Help lists the functions, a line for each.
func Help() string {
	var lines []string
	for _, all := range functions {
		for _, f := range all {
			name := f.name
			if f.argument != "" {
				name += "(" + f.argument + ")"
			}
			path := name
			if f.from != "" {
				path = f.from + "." + name
			}
			lines = append(lines, path+"  "+f.summary)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// known lists the names of the functions.
func known() []string { return slices.Sorted(maps.Keys(functions)) }

// others says which names there are in place of one that is not known.
func others(name string) string {
	names, hint := known(), ":"
	fields := make([]string, 0, len(where.Enriched.Fields))
	for _, f := range where.Enriched.Fields {
		fields = append(fields, f.Name)
	}
	if near := stage.Nearest(name, append(fields, names...)); near != "" {
		hint = fmt.Sprintf(": did you mean %s?", near)
	}
	return fmt.Sprintf("%s %s are known", hint, strings.Join(names, ", "))
}

// nearest asks whether the name of a value that can be derived from n was meant.
func (n *node) nearest(element string) string {
	var fit []string
	for name, all := range functions {
		if slices.ContainsFunc(all, func(f *function) bool { return f.startsFrom(n) }) {
			fit = append(fit, name)
		}
	}
	name, _, _ := splitArgument(element)
	if near := stage.Nearest(name, fit); near != "" {
		return fmt.Sprintf(": did you mean %s?", near)
	}
	return ""
}

// splitPath takes a dotted path apart; dots in parentheses belong to an argument.
func splitPath(path string) ([]string, error) {
	var elements []string
	depth, begin := 0, 0
	for i := range len(path) {
		switch path[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return nil, fmt.Errorf("path %q: a parenthesis is not opened", path)
			}
		case '.':
			if depth == 0 {
				elements = append(elements, path[begin:i])
				begin = i + 1
			}
		}
	}
	elements = append(elements, path[begin:])
	if depth > 0 {
		return nil, fmt.Errorf("path %q: a parenthesis is not closed", path)
	}
	if slices.Contains(elements, "") {
		return nil, fmt.Errorf("path %q: an element is empty", path)
	}
	return elements, nil
}

// splitArgument parts name and argument of a path's element.
func splitArgument(element string) (name, argument string, has bool) {
	i := strings.IndexByte(element, '(')
	if i < 0 || element[len(element)-1] != ')' {
		return element, "", false
	}
	return element[:i], strings.TrimSpace(element[i+1 : len(element)-1]), true
}

// find gives the function that an element of a path names, starting from the value
// of a node (nil: the record).
func find(element string, above *node) (*function, string) {
	name, argument, has := splitArgument(element)
	for _, f := range functions[name] {
		if has != (f.argument != "") {
			continue
		}
		if f.startsFrom(above) {
			return f, argument
		}
	}
	return nil, ""
}

// pastOf gives the derivation that does not need the value above, if there is one.
func (n *node) pastOf() derivation {
	if n.function == nil || n.above == nil || n.above.above == nil || n.above.function == nil || n.above.asked {
		return nil
	}
	return n.function.past[n.above.function.name]
}

func (f *function) startsFrom(above *node) bool {
	if above == nil || above.function == nil && above.derive == nil {
		return f.takes == 0
	}
	if f.of != "" && (above.function == nil || above.function.name != f.of) {
		return false
	}
	return f.takes.has(above.gives) || f.takes != 0 && above.gives == Absent
}
