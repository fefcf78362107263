package enrich

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

var _ = register(function{
	name: "json", from: "payload.string", takes: 1<<Text | 1<<JSON, gives: JSON, argument: "PATH",
	summary: "value in a JSON document, as in json(items[0].name); json(.) is all of it",
	make: func(argument string) (derivation, error) {
		steps, err := jsonSteps(argument)
		if err != nil {
			return nil, err
		}
		return func(r *Record, from, out *Value) error {
			raw := json.RawMessage(bytes.TrimPrefix(from.Bytes, []byte("\ufeff")))
			if !json.Valid(raw) {
				return errors.New("not a JSON document")
			}
			for _, s := range steps {
				var ok bool
				if raw, ok = s.take(raw); !ok {
					return nil
				}
			}
			var text string
			if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
				out.setText([]byte(text))
				return nil
			}
			var b bytes.Buffer
			if err := json.Compact(&b, raw); err != nil {
				return err
			}
			out.setJSON(b.Bytes())
			return nil
		}, nil
	},
})

// A jsonStep goes from a value to one in it: by name, or by index where name is
// empty.
type jsonStep struct {
	name  string
	index int
}

func jsonSteps(path string) ([]jsonStep, error) {
	var steps []jsonStep
	if path == "." {
		return nil, nil
	}
	for element := range strings.SplitSeq(path, ".") {
		name, rest, _ := strings.Cut(element, "[")
		if name != "" {
			steps = append(steps, jsonStep{name: name})
		} else if rest == "" {
			return nil, errors.New("path: names separated by dots, and [N], are wanted")
		}
		for rest != "" {
			number, behind, ok := strings.Cut(rest, "]")
			n, err := strconv.Atoi(number)
			if !ok || err != nil || n < 0 {
				return nil, fmt.Errorf("path: [%s is no index", rest)
			}
			steps = append(steps, jsonStep{index: n})
			rest = strings.TrimPrefix(behind, "[")
			if behind != "" && behind[0] != '[' {
				return nil, fmt.Errorf("path: %q stands behind an index", behind)
			}
		}
	}
	return steps, nil
}

func (s jsonStep) take(raw json.RawMessage) (json.RawMessage, bool) {
	if s.name != "" {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			return nil, false
		}
		value, ok := object[s.name]
		return value, ok
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || s.index >= len(list) {
		return nil, false
	}
	return list[s.index], true
}
