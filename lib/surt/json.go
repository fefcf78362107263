package surt

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A form is parameters in the order in which their names came up first.
type form struct {
	names  []string
	values map[string]string
	twice  map[string]int // how many parameters want the name
}

// appendJSON appends the values in a JSON text as parameters. It fails where the
// text is none.
func appendJSON(dst, text []byte) (out []byte, ok bool) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) || !json.Valid(text) {
		return dst, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	f := form{values: map[string]string{}, twice: map[string]int{}}
	if !f.take("", decodeOrdered(decoder)) {
		return dst, false
	}
	begin := len(dst)
	for _, name := range f.names {
		dst = appendParameter(dst, begin, []byte(name), []byte(f.values[name]))
	}
	return dst, true
}

// An object is a JSON object in the order of its members. Of two with one name the
// second has its value and the first its place.
type object struct {
	names  []string
	values map[string]any
}

// decodeOrdered decodes a value of a text that is JSON: an object, a slice of values,
// or a token.
func decodeOrdered(d *json.Decoder) any {
	token, _ := d.Token()
	switch token {
	case json.Delim('['):
		var list []any
		for d.More() {
			list = append(list, decodeOrdered(d))
		}
		_, _ = d.Token()
		return list
	case json.Delim('{'):
		o := object{values: map[string]any{}}
		for d.More() {
			token, _ := d.Token()
			name, _ := token.(string)
			if _, there := o.values[name]; !there {
				o.names = append(o.names, name)
			}
			o.values[name] = decodeOrdered(d)
		}
		_, _ = d.Token()
		return o
	}
	return token
}

// take puts a value, and those in it, into the form. What has no name is left out.
// It fails at a number beyond all that a float can be.
func (f *form) take(name string, value any) bool {
	switch v := value.(type) {
	case object:
		for _, n := range v.names {
			if !f.take(n, v.values[n]) {
				return false
			}
		}
		return true
	case []any:
		for _, v := range v {
			if !f.take(name, v) {
				return false
			}
		}
		return true
	}
	if name == "" {
		return true
	}
	text, ok := scalar(value)
	if ok {
		f.add(name, text)
	}
	return ok
}

// add puts a parameter into the form. A name that is there gets a number.
func (f *form) add(name, text string) {
	if _, there := f.values[name]; there {
		if f.twice[name] == 0 {
			f.twice[name] = 1
		}
		f.twice[name]++
		name += "." + strconv.Itoa(f.twice[name]) + "_"
	}
	if _, there := f.values[name]; !there {
		f.names = append(f.names, name)
	}
	f.values[name] = text
}

// scalar gives a value as JavaScript would print it, but the exponents of numbers
// below 0.0001.
func scalar(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return number(string(v))
	}
	return "null", true
}

func number(text string) (string, bool) {
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			text = "0"
		}
		return text, true
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return "", false
	case f == 0:
		return "0", true
	case f == math.Trunc(f):
		return strconv.FormatFloat(f, 'f', 0, 64), true
	case math.Abs(f) < 1e-4:
		return strconv.FormatFloat(f, 'e', -1, 64), true
	}
	return strconv.FormatFloat(f, 'f', -1, 64), true
}
