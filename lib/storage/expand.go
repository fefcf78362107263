package storage

import (
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// Expand gives the files that a path means: the file itself, the files in a
// folder, or what a glob (path.Match, in any element; [!x] is [^x]) matches, folders among
// the matches opened in turn. As Hadoop does it, names in a folder that begin
// with "_" or "." are left out, and folders in a folder too. The result is
// sorted by path; the error is fs.ErrNotExist where nothing is there. Pipes and devices
// are left out, but for one that the path itself names.
func Expand(pattern string) ([]Info, error) { return ExpandTelling(pattern, func(Info) {}) }

// ExpandTelling is Expand that calls pipe for each pipe or device that is left out.
func ExpandTelling(pattern string, pipe func(Info)) ([]Info, error) {
	matches, named, err := Match(pattern)
	if err != nil {
		return nil, err
	}
	if named {
		return filesOf(matches[0], pipe)
	}
	var files []Info
	for _, m := range matches {
		if m.IsPipe {
			pipe(m)
			continue
		}
		some, err := filesOf(m, pipe)
		if err != nil {
			return nil, err
		}
		files = append(files, some...)
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, nil
}

// Match returns what Expand opens: the file or folder of that name, for which named is
// true, or at least one match of the glob, in no order.
func Match(pattern string) (matches []Info, named bool, err error) {
	info, err := Stat(pattern)
	if err == nil {
		return []Info{info}, true, nil
	}
	prefix, rest := "", pattern
	if IsURI(pattern) {
		prefix, rest = root(pattern)
	}
	if !strings.ContainsAny(rest, `*?[\`) || strings.HasPrefix(pattern, "http") {
		return nil, false, err
	}
	matches, err = glob(prefix, strings.Split(rest, "/"))
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", pattern, err)
	}
	if len(matches) == 0 {
		return nil, false, &fs.PathError{Op: "open", Path: pattern, Err: fs.ErrNotExist}
	}
	return matches, false, nil
}

// root splits hdfs://host/a/b into "hdfs://host" and "/a/b".
func root(uri string) (prefix, rest string) {
	i := strings.Index(uri, "://") + 3
	if j := strings.IndexByte(uri[i:], '/'); j >= 0 {
		return uri[:i+j], uri[i+j:]
	}
	return uri, "/"
}

// Hidden says whether Hadoop leaves a file of that name out of a folder's input.
func Hidden(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")
}

func filesOf(info Info, pipe func(Info)) ([]Info, error) {
	if !info.IsDir {
		return []Info{info}, nil
	}
	all, err := List(info.Path)
	if err != nil {
		return nil, err
	}
	files := all[:0]
	for _, f := range all {
		switch {
		case f.IsDir || Hidden(f.Name()):
		case f.IsPipe:
			pipe(f)
		default:
			files = append(files, f)
		}
	}
	return files, nil
}

// negated returns a pattern in which "[!", by which shells and Hadoop begin a class that
// leaves characters out, is "[^", as path.Match has it.
func negated(pattern string) string {
	if !strings.Contains(pattern, "[!") {
		return pattern
	}
	p, inside := []byte(pattern), false
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case ']':
			inside = false
		case '[':
			if !inside && i+1 < len(p) && p[i+1] == '!' {
				p[i+1] = '^'
			}
			inside = true
		}
	}
	return string(p)
}

// glob walks down the pattern's elements and lists only folders whose next
// element has a wildcard.
func glob(base string, elements []string) ([]Info, error) {
	for i, e := range elements {
		if !strings.ContainsAny(e, `*?[\`) {
			if i == 0 && e == "" {
				base += "/"
			} else {
				base = Join(base, e)
			}
			continue
		}
		dir := base
		if dir == "" {
			dir = "."
		}
		entries, err := List(dir)
		if err != nil {
			return nil, err
		}
		var found []Info
		for _, entry := range entries {
			ok, err := path.Match(negated(e), entry.Name())
			if err != nil {
				return nil, err
			}
			if !ok || Hidden(entry.Name()) && !strings.HasPrefix(e, "_") && !strings.HasPrefix(e, ".") {
				continue
			}
			if i == len(elements)-1 {
				found = append(found, entry)
			} else if entry.IsDir {
				deeper, err := glob(entry.Path, elements[i+1:])
				if err != nil {
					return nil, err
				}
				found = append(found, deeper...)
			}
		}
		return found, nil
	}
	info, err := Stat(base)
	if err != nil {
		return nil, nil // this branch of the pattern matches nothing
	}
	return []Info{info}, nil
}
