package engine

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// arguments is a command line of hadoop-streaming.
type arguments struct {
	conf        conf
	files       []cacheFile
	mapper      string
	combiner    string
	reducer     string
	inputs      []string
	output      string
	environment []string // NAME=VALUE of -cmdenv
	lazyOutput  bool
	help        bool
}

// cacheFile is one entry of -files: it appears in each task's folder as Name.
type cacheFile struct {
	path string // absolute
	name string
}

// unsupported are options of hadoop-streaming that the engine knows by name
// only, and what to do instead.
var unsupported = map[string]string{
	"-conf":               "give each setting with -D",
	"-libjars":            "there is no Java here; only commands run",
	"-archives":           "unpack it and give the files with -files",
	"-file":               "use -files",
	"-cacheFile":          "use -files",
	"-cacheArchive":       "unpack it and give the files with -files",
	"-fs":                 "inputs are opened by their URI",
	"-jt":                 "tasks run on this machine",
	"-io":                 "only text is supported, and stream.map.output=keyonlytext",
	"-inputreader":        "only text input is supported",
	"-mapdebug":           "the last lines of a failed task's standard error are shown",
	"-reducedebug":        "the last lines of a failed task's standard error are shown",
	"-background":         "start the program in the background",
	"-dfs":                "inputs are opened by their URI",
	"-additionalconfspec": "give each setting with -D",
}

// parseArguments reads a command line. Generic options stand first, as Hadoop wants
// them: it takes those behind another option for inputs.
func parseArguments(args []string) (*arguments, error) {
	a := &arguments{conf: conf{}}
	before := "" // the last option that is not a generic one
	for len(args) > 0 {
		option := args[0]
		args = args[1:]
		if strings.HasPrefix(option, "--") && len(option) > 3 {
			option = option[1:]
		}
		switch option {
		case "-help", "-info", "-h":
			a.help = true
			return a, nil
		case "-lazyOutput":
			a.lazyOutput = true
			continue
		case "-verbose":
			continue
		}
		if strings.HasPrefix(option, "-D") && option != "-D" {
			args = append([]string{option[2:]}, args...)
			option = "-D"
		}
		if instead, ok := unsupported[option]; ok {
			return nil, withHint(usagef("option %s is not supported by the embedded engine", option), "%s", instead)
		}
		take, ok := options[option]
		if !ok {
			return nil, usagef("unknown option %q", option)
		}
		if generic := option == "-D" || option == "-files"; !generic {
			before = option
		} else if before != "" {
			return nil, withHint(usagef("option %s stands behind %s", option, before), "-D and -files come first, as for Hadoop")
		}
		if len(args) == 0 {
			return nil, usagef("option %s needs a value", option)
		}
		if err := take(a, args[0]); err != nil {
			return nil, err
		}
		args = args[1:]
	}
	return a, a.check()
}

var options = map[string]func(a *arguments, value string) error{
	"-D": func(a *arguments, v string) error {
		key, value, ok := strings.Cut(v, "=")
		if !ok || key == "" {
			return usagef("-D %s: not of the form key=value", v)
		}
		a.conf.set(strings.TrimSpace(key), value)
		return nil
	},
	"-files":    (*arguments).addFiles,
	"-mapper":   func(a *arguments, v string) error { a.mapper = v; return nil },
	"-combiner": func(a *arguments, v string) error { a.combiner = v; return nil },
	"-reducer":  func(a *arguments, v string) error { a.reducer = v; return nil },
	"-input": func(a *arguments, v string) error {
		for _, p := range splitCommas(v) {
			a.inputs = append(a.inputs, expandBraces(p)...)
		}
		return nil
	},
	"-output":         func(a *arguments, v string) error { a.output = v; return nil },
	"-numReduceTasks": func(a *arguments, v string) error { a.conf.set(keyReduces, v); return nil },
	"-inputformat":    func(a *arguments, v string) error { a.conf.set(keyInputFormat, v); return nil },
	"-outputformat":   func(a *arguments, v string) error { a.conf.set(keyOutputFormat, v); return nil },
	"-partitioner":    func(a *arguments, v string) error { a.conf.set(keyPartitioner, v); return nil },
	"-jobname":        func(a *arguments, v string) error { a.conf.set(keyJobName, v); return nil },
	"-cmdenv": func(a *arguments, v string) error {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return usagef("-cmdenv %s: not of the form NAME=VALUE", v)
		}
		if strings.ContainsRune(value, ' ') {
			return withHint(usagef("-cmdenv %s: Hadoop cannot carry spaces in it", v),
				"use -D, which reaches the tasks with every character but letters and digits of the key as _")
		}
		a.environment = append(a.environment, name+"="+value)
		return nil
	},
}

func (a *arguments) check() error {
	switch {
	case len(a.inputs) == 0:
		return usagef("option -input is missing")
	case a.output == "":
		return usagef("option -output is missing")
	case a.mapper == "":
		return usagef("option -mapper is missing")
	}
	return nil
}

// addFiles reads PATH[#NAME],…
func (a *arguments) addFiles(list string) error {
	for _, entry := range strings.Split(list, ",") {
		path, name, _ := strings.Cut(entry, "#")
		if rest, ok := strings.CutPrefix(path, "file:"); ok {
			if u, err := url.PathUnescape(rest); err == nil {
				path = "/" + strings.TrimLeft(u, "/")
			}
		}
		if path == "" {
			return usagef("-files %s: an empty name", list)
		}
		if strings.Contains(path, "://") {
			return usagef("-files %s: only files of this machine can be given to tasks", entry)
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if _, err := os.Stat(full); err != nil {
			return fmt.Errorf("-files: %w", err)
		}
		if name == "" {
			name = filepath.Base(full)
		}
		if strings.Contains(name, "/") {
			return usagef("-files %s: a slash in the name after #", entry)
		}
		for _, other := range a.files {
			if other.name == name && other.path != full {
				return usagef("-files: two files would be called %s: %s and %s", name, other.path, full)
			}
		}
		a.files = append(a.files, cacheFile{full, name})
	}
	return nil
}

// splitCommas splits a list of paths at commas outside of braces, as Hadoop
// does it.
func splitCommas(list string) []string {
	var paths []string
	depth, start := 0, 0
	for i, c := range list {
		switch {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == ',' && depth == 0:
			paths = append(paths, list[start:i])
			start = i + 1
		}
	}
	return append(paths, list[start:])
}

// expandBraces makes a{b,c}d into abd and acd, the one form of Hadoop's globs
// that lib/storage does not know. What a backslash stands before is itself.
func expandBraces(pattern string) []string {
	open, depth, escaped := -1, 0, false
	for i, c := range pattern {
		if escaped || c == '\\' {
			escaped = !escaped
			continue
		}
		switch c {
		case '{':
			if depth == 0 {
				open = i
			}
			depth++
		case '}':
			if depth--; depth == 0 && open >= 0 {
				var all []string
				for _, choice := range splitCommas(pattern[open+1 : i]) {
					for _, rest := range expandBraces(choice + pattern[i+1:]) {
						all = append(all, pattern[:open]+rest)
					}
				}
				return all
			}
			depth = max(depth, 0)
		}
	}
	return []string{pattern}
}

// splitCommand splits a -mapper string as hadoop-streaming does, which is not
// as a shell does it: only blanks separate, a quotation mark ends a word on
// both sides, and an empty quotation is no word.
func splitCommand(command string) []string {
	const outside = byte(0)
	var words []string
	quote, start := outside, 0
	for i := 0; i <= len(command); i++ {
		end := i == len(command)
		if !end {
			switch c := command[i]; {
			case c == '\'' || c == '"':
				if quote == outside {
					quote, end = c, true
				} else if quote == c {
					quote, end = outside, true
				}
			case c == ' ':
				end = quote == outside
			}
		}
		if end {
			if i > start {
				words = append(words, command[start:i])
			}
			start = i + 1
		}
	}
	return words
}
