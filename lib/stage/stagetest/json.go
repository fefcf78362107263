package stagetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// StrictJSON reads one JSON value and refuses an object that has a name twice, and
// what is not UTF-8.
func StrictJSON(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := strictValue(d); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than one value: %v", err)
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
				return fmt.Errorf("the name %q stands twice in an object", name)
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
