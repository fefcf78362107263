package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// arithmetic looks at all that an arithmetic expression evaluates: the text of a variable
// is an expression itself there, in which a subscript runs commands.
func (r *shellReader) arithmetic(s shellScope, x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			if name := n.Lit(); isName(name) && !r.isNumber(s, name) && !r.isSetHere(x, n) {
				r.add("arithmetic", name, n.Pos())
			}
		case *syntax.ParamExp:
			if !r.isParamNumeric(s, n) {
				r.add("arithmetic", n.Param.Value, n.Pos())
			}
			return false
		case *syntax.CmdSubst:
			if !printsNumber(n) {
				r.add("arithmetic", "of a command", n.Pos())
			}
			return false
		}
		return true
	})
}

// isSetHere reports whether a word of an expression is only set by it.
func (r *shellReader) isSetHere(x syntax.ArithmExpr, w *syntax.Word) bool {
	b, ok := x.(*syntax.BinaryArithm)
	return ok && b.Op == syntax.Assgn && b.X == syntax.ArithmExpr(w)
}

// unsafe looks for all that is unsafe in a script.
func (r *shellReader) unsafe(f *syntax.File) {
	scopes(f, r.file, func(s shellScope, n syntax.Node) {
		switch n := n.(type) {
		case *syntax.ArithmExp:
			r.arithmetic(s, n.X)
		case *syntax.ArithmCmd:
			r.arithmetic(s, n.X)
		case *syntax.CStyleLoop:
			for _, x := range []syntax.ArithmExpr{n.Init, n.Cond, n.Post} {
				r.arithmetic(s, x)
			}
		case *syntax.LetClause:
			for _, x := range n.Exprs {
				r.arithmetic(s, x)
			}
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				for _, side := range []syntax.TestExpr{n.X, n.Y} {
					if w, ok := side.(*syntax.Word); !ok || !r.isNumeric(s, w) {
						r.add("comparison", n.Op.String(), n.Pos())
					}
				}
			}
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet {
				r.add("name", "-v", n.Pos())
			}
		case *syntax.ParamExp:
			r.expansion(s, n)
		case *syntax.Assign:
			if n.Index != nil && n.Name != nil && !r.keyed[n.Name.Value] {
				r.arithmetic(s, n.Index)
			}
			if n.Array != nil {
				for _, e := range n.Array.Elems {
					r.unquoted(s, e.Value)
				}
			}
		case *syntax.DeclClause:
			r.declaration(s, n)
		case *syntax.CallExpr:
			r.call(s, n)
		case *syntax.WordIter:
			for _, w := range n.Items {
				r.unquoted(s, w)
			}
		case *syntax.Redirect:
			if n.Hdoc == nil && n.Op != syntax.WordHdoc {
				r.unquoted(s, n.Word)
			}
		}
	})
}

// expansion looks at an expansion of any kind: at what its subscript and its part are, and
// whether it expands the variable that another one names.
func (r *shellReader) expansion(s shellScope, p *syntax.ParamExp) {
	all, _ := p.Index.(*syntax.Word)
	isAll := all != nil && (all.Lit() == "@" || all.Lit() == "*")
	if p.Index != nil && !isAll && !r.keyed[p.Param.Value] {
		r.arithmetic(s, p.Index)
	}
	if p.Slice != nil {
		r.arithmetic(s, p.Slice.Offset)
		r.arithmetic(s, p.Slice.Length)
	}
	if p.Excl && !isAll && p.Names == 0 {
		r.add("name", "${!"+p.Param.Value+"}", p.Pos())
	}
}

// declaration looks at declare, local, export and the like.
func (r *shellReader) declaration(s shellScope, d *syntax.DeclClause) {
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil {
			option := a.Value.Lit()
			switch {
			case option == "":
				r.add("name", d.Variant.Value, a.Pos())
			case strings.HasPrefix(option, "-") && strings.ContainsAny(option, "n") && d.Variant.Value != "export":
				for _, b := range d.Args {
					if b.Name != nil {
						r.add("name", d.Variant.Value+" -n "+b.Name.Value, a.Pos())
					}
				}
			case strings.HasPrefix(option, "-") && strings.ContainsAny(option, "i"):
				r.add("arithmetic", d.Variant.Value+" -i", a.Pos())
			}
		}
	}
}

var shellSubscript = regexp.MustCompile(`^([A-Za-z_][A-Za-z_0-9]*)\[([a-z]+|[0-9]+)\]$`)

// call looks at a command: its words, and the names and the text that it evaluates.
func (r *shellReader) call(s shellScope, n *syntax.CallExpr) {
	for _, w := range n.Args {
		r.unquoted(s, w)
	}
	name, rest := command(n)
	switch {
	case name == "eval":
		r.add("eval", wordText(rest), n.Pos())
	case name == "." || name == "source":
		r.sourced(rest, n.Pos())
	case name == "read" || name == "mapfile" || name == "readarray" || name == "unset":
		for _, w := range rest {
			if w.Lit() == "" && !isOptionValue(rest, w) {
				r.add("name", name+" "+wordText([]*syntax.Word{w}), w.Pos())
			}
		}
	case name == "printf" && len(rest) > 1 && rest[0].Lit() == "-v" && !isName(rest[1].Lit()):
		r.add("name", "printf -v "+wordText(rest[1:2]), n.Pos())
	case len(rest) > 0 && (r.setters[name] || slices.Contains(shellNumbers, name)):
		r.setter(s, name, rest[0])
	}
}

// setter looks at the name that a function is to set.
func (r *shellReader) setter(s shellScope, function string, w *syntax.Word) {
	text := wordText([]*syntax.Word{w})
	if isName(text) {
		return
	}
	if m := shellSubscript.FindStringSubmatch(strings.Trim(text, `"`)); m != nil && (shellDigits.MatchString(m[2]) || r.isNumber(s, m[2])) {
		return
	}
	r.add("name", function+" "+text, w.Pos())
}

// isOptionValue reports whether a word of read or mapfile belongs to an option before it.
func isOptionValue(words []*syntax.Word, w *syntax.Word) bool {
	i := slices.Index(words, w)
	return i > 0 && slices.Contains([]string{"-d", "-u", "-n", "-N", "-t", "-p", "-i"}, words[i-1].Lit())
}

var shellBeside = regexp.MustCompile(`^"\$\{BASH_SOURCE\[0\]%/\*\}/([a-z]+\.bash)"$`)

// sourced looks at what a script takes in: files of the project beside it alone.
func (r *shellReader) sourced(rest []*syntax.Word, at syntax.Pos) {
	text := wordText(rest)
	if m := shellBeside.FindStringSubmatch(text); m != nil {
		if _, err := os.Stat(filepath.Join(root, filepath.Dir(r.file), m[1])); err == nil {
			return
		}
	}
	r.add("source", text, at)
}

// unquoted looks for expansions in a word that become several words, or file names.
func (r *shellReader) unquoted(s shellScope, w *syntax.Word) {
	if w == nil {
		return
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.ParamExp:
			if p.Exp != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull) {
				r.unquoted(s, p.Exp.Word) // ${x+"$x"}
				continue
			}
			if !r.isParamNumeric(s, p) && !r.isPlain(s, p) {
				r.add("unquoted", "$"+p.Param.Value, p.Pos())
			}
		case *syntax.CmdSubst:
			if !printsNumber(p) {
				r.add("unquoted", "$(...)", p.Pos())
			}
		}
	}
}

var shellPlain = regexp.MustCompile(`^[A-Za-z0-9_./:+-]+$`)

// isPlain reports whether all that a variable is set to are words of the scripts, which
// are one word without quotes too.
func (r *shellReader) isPlain(s shellScope, p *syntax.ParamExp) bool {
	values := r.words[r.variable(s, p.Param.Value)]
	return len(values) > 0 && p.Exp == nil && !slices.ContainsFunc(values, func(v shellValue) bool {
		return v.what != asWord || v.word == nil || !shellPlain.MatchString(v.word.Lit())
	})
}

func wordText(words []*syntax.Word) string {
	var b strings.Builder
	printer := syntax.NewPrinter()
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if err := printer.Print(&b, w); err != nil {
			return err.Error()
		}
	}
	return b.String()
}

// TestShellIsSafe looks in all scripts for arithmetic on what may be no integer, for text
// or names that are evaluated, for expansions without quotes and for foreign files that
// are taken in. Where one stays it is allowed with a reason; a reason that nothing needs
// any more is an error.
func TestShellIsSafe(t *testing.T) {
	used := map[string]bool{}
	for _, folder := range []string{"jobs", "scripts"} {
		scripts := shellScripts(t, folder)
		if len(scripts) < 5 {
			t.Errorf("%s: only %d scripts found", folder, len(scripts))
		}
		taken := map[string]bool{}
		told := map[shellPlace]bool{}
		for _, program := range shellPrograms(scripts) {
			for name := range program {
				taken[name] = true
			}
			for _, p := range unsafeShell(program) {
				if shellAllowed[p.where] == "" && !told[p] {
					file, what, _ := strings.Cut(p.where, " ")
					t.Errorf("%s:%d: unsafe: %s (%q)", file, p.line, what, p.where)
				}
				used[p.where], told[p] = true, true
			}
		}
		for name := range scripts {
			if !taken[name] {
				t.Errorf("%s: no script takes it in", name)
			}
		}
	}
	for where := range shellAllowed {
		if !used[where] {
			t.Errorf("allowed, but not there: %q", where)
		}
	}
}

// TestShellFindsWhatIsUnsafe holds the test above against scripts that are not safe.
func TestShellFindsWhatIsUnsafe(t *testing.T) {
	for script, want := range map[string]string{
		`read -r v; ((sum += v))`:                       "arithmetic v",
		`f() { local v; v=$(cat x); echo $((v + 1)); }`: "arithmetic v",
		`v=$1; n=$((v))`:                                "arithmetic v",
		`echo "${a[$1]}"`:                               "arithmetic 1",
		`x=abc; y=$z; echo "${x:$y}"`:                   "arithmetic y",
		`let "n = $1"`:                                  "arithmetic 1",
		`[[ $1 -eq 3 ]]`:                                "comparison -eq",
		`declare -i n=$1`:                               "arithmetic declare -i",
		`for ((i = 0; i < $1; i++)); do :; done`:        "arithmetic 1",
		`a[$1]=x`:                                       "arithmetic 1",
		`eval "$1"`:                                     `eval "$1"`,
		`. "$HOME/x.bash"`:                              `source "$HOME/x.bash"`,
		`declare -n v=$1`:                               "name declare -n v",
		`printf -v "$1" x`:                              `name printf -v "$1"`,
		`read -r "$1"`:                                  `name read "$1"`,
		`export "$1"`:                                   "name export",
		`echo "${!v}"`:                                  "name ${!v}",
		`[[ -v a[$1] ]]`:                                "name -v",
		`set() { printf -v "$1" x; }; set "$2"`:         `name set "$2"`,
		`rm $1`:                                         "unquoted $1",
		`rm $(cat list)`:                                "unquoted $(...)",
		`for x in $list; do :; done`:                    "unquoted $list",
		`a=($list)`:                                     "unquoted $list",
		`cat <$1`:                                       "unquoted $1",
		`echo ${x:+$x}`:                                 "unquoted $x",
	} {
		f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "script")
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		var found []string
		for _, p := range unsafeShell(map[string]*syntax.File{"script": f}) {
			found = append(found, strings.TrimPrefix(p.where, "script "))
		}
		if !slices.Contains(found, want) {
			t.Errorf("%s: found %q, expected %q", script, found, want)
		}
	}
	for _, script := range []string{
		`n=0; while ((n < 3)); do ((n++)); done; echo $n ${n:+"$1"} "${#x}" $# $?`,
		`f() { local n=1 i; for i in "${!a[@]}"; do echo "${a[i]}" $((n + i)); done; }`,
		`job_set_counter n a b; ((n > 0)); x=$(cat y); echo "$x" >"$1"; declare -A k; echo "${k[$x]}"`,
	} {
		f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "script")
		if err != nil {
			t.Fatal(err)
		}
		if found := unsafeShell(map[string]*syntax.File{"script": f}); len(found) > 0 {
			t.Errorf("%s: found %v, expected nothing", script, fmt.Sprint(found))
		}
	}
}
