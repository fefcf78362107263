package jobs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// shellScripts returns the scripts of a folder, parsed, by their names in the project.
func shellScripts(t *testing.T, folder string) map[string]*syntax.File {
	t.Helper()
	scripts := map[string]*syntax.File{}
	err := filepath.WalkDir(filepath.Join(root, folder)+"/", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".sh" && filepath.Ext(path) != ".bash" {
			return err
		}
		content, err := os.Open(path)
		if err != nil {
			return err
		}
		defer content.Close()
		name, err := filepath.Rel(root, path)
		if err == nil {
			scripts[name], err = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(content, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}

// unsafeShell returns what is unsafe in the scripts that make up one program.
func unsafeShell(scripts map[string]*syntax.File) []shellPlace {
	r := &shellReader{
		locals: map[shellVariable]bool{}, keyed: map[string]bool{}, words: map[shellVariable][]shellValue{},
		held: map[shellVariable]bool{}, checked: map[shellVariable]bool{}, setters: map[string]bool{},
	}
	for _, f := range scripts {
		for name := range setters(f) {
			r.setters[name] = true
		}
	}
	for _, learn := range []func(*syntax.File){r.learnLocals, r.learnValues, r.unsafe} {
		for _, name := range slices.Sorted(maps.Keys(scripts)) {
			r.file = name
			learn(scripts[name])
		}
	}
	return r.found
}

// shellPrograms returns the scripts of each program: one that is run, with those that it
// takes in.
func shellPrograms(scripts map[string]*syntax.File) []map[string]*syntax.File {
	var programs []map[string]*syntax.File
	for name := range scripts {
		if filepath.Ext(name) != ".sh" {
			continue
		}
		program := map[string]*syntax.File{}
		var take func(name string)
		take = func(name string) {
			f := scripts[name]
			if f == nil || program[name] != nil {
				return
			}
			program[name] = f
			scopes(f, name, func(_ shellScope, n syntax.Node) {
				if call, ok := n.(*syntax.CallExpr); ok {
					if word, rest := command(call); word == "." {
						if m := shellBeside.FindStringSubmatch(wordText(rest)); m != nil {
							take(filepath.Join(filepath.Dir(name), m[1]))
						}
					}
				}
			})
		}
		take(name)
		programs = append(programs, program)
	}
	return programs
}

// setters returns the functions that set the variable which their first word names.
func setters(f *syntax.File) map[string]bool {
	found := map[string]bool{}
	scopes(f, "", func(s shellScope, n syntax.Node) {
		if n, ok := n.(*syntax.CallExpr); ok {
			if name, rest := command(n); name == "printf" && len(rest) > 1 && rest[0].Lit() == "-v" && strings.Contains(wordText(rest[1:2]), "$") {
				found[s.function] = true
			}
		}
	})
	return found
}
