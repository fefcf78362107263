package where

import (
	"fmt"
	"net/url"
	"path"
	"reflect"
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

// fileOf gives the last element of a URL's path.
func fileOf(link string) string {
	link, _, _ = strings.Cut(link, "#")
	link, _, _ = strings.Cut(link, "?")
	if _, rest, ok := strings.Cut(link, "://"); ok {
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
}

// absolute resolves a link against the URL that it was found at (RFC 3986, section
// 5); one that cannot be parsed stays as it is.
func absolute(link, base string) string {
	from, err := url.Parse(base)
	if err != nil {
		return link
	}
	to, err := from.Parse(strings.TrimSpace(link))
	if err != nil {
		return link
	}
	return to.String()
}
