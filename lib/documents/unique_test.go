package documents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"archivestream/lib/stage/stagetest"
)

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
		if err := stagetest.StrictJSON(got[1:]); err != nil {
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
		if err := stagetest.StrictJSON(got); err != nil {
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
