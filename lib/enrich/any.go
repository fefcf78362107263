package enrich

import (
	"encoding/json"
	"fmt"
	"math"
)

// setAny takes the value of an expression.
func (r *Record) setAny(x any, out *Value) error {
	switch x := x.(type) {
	case nil:
		return nil
	case string:
		out.setText([]byte(x))
		return nil
	case []byte:
		out.setText(x)
		return nil
	case int:
		out.setInteger(x)
		return nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("the value is %v, which JSON cannot hold", x)
		}
	}
	raw, err := json.Marshal(x) // names of objects are sorted
	if err != nil {
		return fmt.Errorf("the value cannot be written as JSON: %w", err)
	}
	return r.setRaw(raw, out)
}

// setRaw takes a value in JSON.
func (r *Record) setRaw(raw []byte, out *Value) error {
	var text string
	var n int64
	switch {
	case string(raw) == "null":
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		out.setText([]byte(text))
	case (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && json.Unmarshal(raw, &n) == nil:
		*out = Value{Kind: Integer, Number: n}
	default:
		out.setJSON(raw)
	}
	return nil
}
