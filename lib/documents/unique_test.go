package documents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"unicode/utf8"
)

// strictly reads a JSON value with another parser and refuses a name that an object has
// twice, and what is no UTF-8.
func strictly(text []byte) error {
	if !utf8.Valid(text) {
		return fmt.Errorf("%q is not UTF-8", text)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := strictValue(d); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%q: more than a value: %v", text, err)
	}
	return nil
}

func strictValue(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	names := map[any]bool{}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if names[name] {
				return fmt.Errorf("the name %q is there twice", name)
			}
			names[name] = true
		}
		if err := strictValue(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

func TestAppendStrict(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1, "b": [1, 2 , {"c" : 3, "c":4}], "a" : 2}`: `{"b":[1,2,{"c":4}],"a":2}`,
		`{"a":1,"\u0061":2}`:                       `{"a":2}`,
		"{\"\xff\":1,\"\xfe\":2, \"x\":\"\xe4y\"}": "{\"\\ufffd\":2,\"x\":\"\ufffdy\"}",
		`[]`:                     `[]`,
		`[ [ ] , { } , "a  b" ]`: `[[],{},"a  b"]`,
		`"\u00e4"`:               `"\u00e4"`,
		`1e400`:                  `1e400`,
	} {
		got := AppendStrict([]byte("x"), []byte(in))
		if string(got) != "x"+want {
			t.Errorf("%s: got %s, want %s", in, got[1:], want)
		}
		if err := strictly(got[1:]); err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// FuzzAppendStrict holds what is written against encoding/json, for which the last of
// members of one name counts as well.
func FuzzAppendStrict(f *testing.F) {
	f.Add([]byte(`{"a": 1, "b": [1, {"c": 3, "c": 4}], "a": 2}`))
	f.Add([]byte("{\"\":\"\xba\x92\"}"))
	f.Add([]byte("{\"\xff\":[[]],\"\xfe\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var o Object
		if o.Parse(raw) != nil {
			return
		}
		raw = bytes.TrimSpace(raw)
		got := AppendStrict(nil, raw)
		if err := strictly(got); err != nil {
			t.Fatalf("%q: %q: %v", raw, got, err)
		}
		var want, have any
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if d.Decode(&want) != nil {
			return
		}
		d = json.NewDecoder(bytes.NewReader(got))
		d.UseNumber()
		if err := d.Decode(&have); err != nil || fmt.Sprint(want) != fmt.Sprint(have) {
			t.Errorf("%q: got %v, want %v, %v", raw, have, want, err)
		}
	})
}

func TestUnderscores(t *testing.T) {
	for member, want := range map[string]int{"bytes": 0, "_bytes": 1, "___bytes": 3, "a_bytes": -1, "Bytes": -1, "": -1, "bytes_": -1} {
		if got := Underscores(member, "bytes"); got != want {
			t.Errorf("%s: got %d, want %d", member, got, want)
		}
	}
}
