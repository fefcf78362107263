package enrich

import (
	"testing"
)

// TestNumbersKeepTheirDigits puts numbers of 64 bits into tables and expressions, which a
// float would round.
func TestNumbersKeepTheirDigits(t *testing.T) {
	const http = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + `{"id": 849230566553788416, "list": [9007199254740993, 1.0, 2.5], "least": -9223372036854775808}`
	var a archive
	a.add(t, "http://example.com/", "application/json", http)
	for column, want := range map[string]string{
		`value("payload.string.json(.)")`:               `{"id":849230566553788416,"least":-9223372036854775808,"list":[9007199254740993,1,2.5]}`,
		`value("payload.string.json(id)")`:              "849230566553788416",
		`value("payload.string.json(list)")[0] + 1`:     "9007199254740994",
		`value("payload.string.json(list)")[1] == 1`:    "true",
		`value("payload.string.json(least)") < -9.2e18`: "true",
	} {
		r := a.run(t, MapperOptions{Options: Options{Columns: []string{"x = " + column}}, Save: "tsv", Workers: 1})
		if r.err != nil || r.rejects != "" || r.out != want+"\n" {
			t.Errorf("%s: %q instead of %q; %v, %s", column, r.out, want, r.err, r.rejects)
		}
	}
}
