package where

import (
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"

	"archivestream/lib/hostname"
	"archivestream/lib/surt"
)

// functions are those that the language has beside its own: of one text each.
var functions = map[string]func(text string) string{
	"surtOf":   surt.Key,
	"hostOf":   hostOf,
	"domainOf": func(link string) string { return hostname.Registered(hostOf(link)) },
	"fileOf":   fileOf,
	"suffixOf": func(link string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(fileOf(link)), ".")) },
}

func hostOf(link string) string { return string(surt.AppendHostName(nil, []byte(link))) }

// scheme matches that of a URL (RFC 3986, section 3.1).
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// fileOf gives the last element of a URL's path.
func fileOf(link string) string {
	link, _, _ = strings.Cut(link, "#")
	link, _, _ = strings.Cut(link, "?")
	link = scheme.ReplaceAllString(link, "")
	if rest, ok := strings.CutPrefix(link, "//"); ok {
		_, link, _ = strings.Cut(rest, "/")
	}
	return link[strings.LastIndexByte(link, '/')+1:]
}

// addFunctions lets a configuration know the functions. Of a value that is not there
// they make an empty text.
func addFunctions(c *conf.Config) {
	for name, of := range functions {
		c.Functions[name] = &builtin.Function{
			Name: name,
			Func: func(arguments ...any) (any, error) {
				switch text := arguments[0].(type) {
				case nil:
					return "", nil
				case string:
					return of(text), nil
				}
				return nil, fmt.Errorf("%s: a text is wanted, not %T", name, arguments[0])
			},
			Types: []reflect.Type{reflect.TypeFor[func(any) string]()},
		}
	}
	c.Functions["absolute"] = &builtin.Function{
		Name: "absolute",
		Func: func(arguments ...any) (any, error) {
			link, _ := arguments[0].(string)
			base, _ := arguments[1].(string)
			return absolute(link, base), nil
		},
		Types: []reflect.Type{reflect.TypeFor[func(link, base any) string]()},
	}
	c.Functions["fieldOf"] = &builtin.Function{
		Name: "fieldOf",
		Func: func(arguments ...any) (any, error) {
			name, _ := arguments[1].(string)
			switch fields := arguments[0].(type) {
			case nil:
				return nil, nil
			case map[string]any:
				return fieldOf(fields, name), nil
			}
			return nil, fmt.Errorf("fieldOf: an object is wanted, not %T", arguments[0])
		},
		Types: []reflect.Type{reflect.TypeFor[func(fields any, name string) any]()},
	}
}

// fieldOf returns the value of a named field in whatever case the name is written there, as
// servers that speak HTTP/2 write all names in lower case; nil where there is none.
func fieldOf(fields map[string]any, name string) any {
	if value, found := fields[name]; found {
		return value
	}
	for other, value := range fields {
		if strings.EqualFold(other, name) {
			return value
		}
	}
	return nil
}
