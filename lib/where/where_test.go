package where

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
)

// capture parses a CDX line of 11 fields.
func capture(t testing.TB, line string) *Capture {
	t.Helper()
	var p cdx.Parser
	var c cdx.Capture
	if err := p.Parse([]byte(line), &c); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	of := &Capture{}
	of.SetCapture(&c)
	return of
}

const page = "net,15october)/a?b=1 20111204123456 http://www.15october.net:80/a?b=1 text/html 200 RKMS6XLYED4G8POFQUIN37WDEWYLD9Z - - 12345 67890 x/archive.warc.gz"

func TestConditions(t *testing.T) {
	record := capture(t, page)
	for source, want := range map[string]bool{
		`status == 200 && mime == "text/html" && domain == "15october.net" && timestamp >= "201112"`: true,
		`status == 200 and not (mime == "text/html")`:                                                false,
		`status != 200 || host == "www.15october.net"`:                                               true,
		`status in 200..299`:                                         true,
		`status in [301, 302]`:                                       false,
		`status not in [301, 302]`:                                   true,
		`200 <= status && 300 > status`:                              true,
		`mime in ["text/html", "application/xhtml+xml"]`:             true,
		`url startsWith "http://www.15october.net:80/"`:              true,
		`url endsWith "?b=1"`:                                        true,
		`url not contains "?"`:                                       false,
		`url matches "^https?://www\\."`:                             true,
		`surt == "net,15october)/a?b=1"`:                             true,
		`surt startsWith "net,15october)"`:                           true,
		`digest == "RKMS6XLYED4G8POFQUIN37WDEWYLD9Z"`:                true,
		`redirect == "" && meta == ""`:                               true,
		`length > 12344 && offset == 67890`:                          true,
		`filename endsWith "archive.warc.gz"`:                        true,
		`year == 2011 && month == 12`:                                true,
		`len(url) > 10 && lower(mime) == "text/html"`:                true,
		`split(host, ".")[1] == domain`:                              false,
		`true`:                                                       true,
		`let n = len(url); n > 3 && status == 200`:                   true,
		`any(split(url, "/"), # == "a?b=1")`:                         true,
		`status == 200 ? mime == "text/html" : mime == "text/plain"`: true,
	} {
		e, err := CompileCondition(source, &Captures)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := e.Match(record); got != want || err != nil {
			t.Errorf("%s: %v, %v", source, got, err)
		}
	}
}

func TestMistakesAreShownWithTheirPlace(t *testing.T) {
	for source, want := range map[string]string{
		`statu == 200`:                  "unknown name statu: did you mean status? surt, timestamp, url, mime, status, digest, redirect, meta, length, offset, filename, host, domain, year, month are known (column 1)\n  statu == 200\n  ^",
		`url == "x" && status == "200"`: "invalid operation: == (mismatched types int and string) (column 22)\n  url == \"x\" && status == \"200\"\n  .....................^",
		`status ==`:                     "unexpected token EOF (column 9)\n  status ==\n  ........^",
		`url`:                           "expected bool, but got string",
		`url matches "("`:               "error parsing regexp: missing closing ): `(` (column 5)\n  url matches \"(\"\n  ....^",
		``:                              "the expression is empty",
		`$env["url"] == ""`:             "unknown name $env: ",
		`now().Year() == 2011`:          "unknown name now (column 1)",
		`foo(url)`:                      "unknown name foo (column 1)\n  foo(url)\n  ^",
	} {
		_, err := CompileCondition(source, &Captures)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", source, err, want)
		}
	}
}

func TestWhatCannotBeComputedIsAnError(t *testing.T) {
	record := capture(t, page)
	e, err := CompileCondition(`status == 200 && split(url, "/")[9] == "x"`, &Captures)
	if err != nil {
		t.Fatal(err)
	}
	want := "index out of range: 9 (array length is 4) (column 33)"
	if _, err := e.Match(record); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// enriched is a record with values at paths.
type enriched struct {
	*Capture
	expression *Expression
	values     map[string]any
}

func (e *enriched) Any(field int) any {
	return e.values[e.expression.Paths()[field-len(Enriched.Fields)]]
}

func TestPaths(t *testing.T) {
	values := map[string]any{
		"payload.string.length":      2345,
		"payload.string.html.title":  "A Title",
		"payload.string.html.a":      []any{map[string]any{"text": "here", "attributes": map[string]any{"href": "/x"}}},
		"payload.string.html(h1)":    "One",
		"payload.string.html.absent": nil,
	}
	for source, want := range map[string]bool{
		`payload.string.length > 2000 && status == 200`:                        true,
		`payload.string.html.title contains "Title"`:                           true,
		`payload.string.html["title"] == "A Title"`:                            true,
		`payload.string.html.a[0].text == "here"`:                              true,
		`any(payload.string.html.a, .attributes.href == "/x")`:                 true,
		`len(payload.string.html.a) == 1`:                                      true,
		`value("payload.string.html(h1)") == "One"`:                            true,
		`payload.string.html.absent contains "x"`:                              false,
		`!(payload.string.html.absent contains "x")`:                           true,
		`payload.string.html.absent == nil`:                                    true,
		`payload.string.html.absent`:                                           false,
		`let x = payload.string.length; x > 1`:                                 true,
		`(payload.string.html.title ?? "") == "A Title"`:                       true,
		`payload.string?.html?.title == "A Title" && year == 2011`:             true,
		`payload.string.length > 5000 ? false : payload.string.html.a[0] != 1`: true,
	} {
		e, err := CompileCondition(source, &Enriched)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := e.Match(&enriched{capture(t, page), e, values}); got != want || err != nil {
			t.Errorf("%s: %v, %v", source, got, err)
		}
	}
	e, err := CompileCondition(`a.b > 1 && c.d == url && a.b < 9 && status == 200`, &Enriched)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.b", "c.d"}, e.Paths()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"url", "status"}, e.Fields()); diff != "" {
		t.Error(diff)
	}
}

func TestValues(t *testing.T) {
	for source, want := range map[string]any{
		`suffixOf("http://a.b/c.d/e.JPG?x=/y.z")`: "jpg", `fileOf("http://a.b")`: "", `fileOf("//a.b")`: "", `fileOf("mailto:a@b.c?x")`: "a@b.c", `fileOf(url)`: "a",
		`absolute("../x?y", url)`: "http://www.15october.net:80/x?y", `domainOf(url)`: "15october.net", `hostOf("//")`: "", `surtOf(url)`: "net,15october)/a?b=1",
		`url`: "http://www.15october.net:80/a?b=1", `year`: 2011, `host + "/" + string(month)`: "www.15october.net/12",
		`split(timestamp[:6], "")[0]`:                                "2",
		`fieldOf({"last-modified": "x", "A": "y"}, "Last-Modified")`: "x", `fieldOf({"A": 1, "a": 2}, "a")`: 2, `fieldOf({"A": "y"}, "b")`: nil, `fieldOf(nil, "b")`: nil,
	} {
		e, err := CompileValue(source, &Captures)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := e.Value(capture(t, page)); got != want || err != nil {
			t.Errorf("%s: %v, %v", source, got, err)
		}
	}
}

func TestFieldsOfOddLines(t *testing.T) {
	for line, want := range map[string]string{
		"dns:a.example 2020 dns:a.example text/dns - D - - 5 6 f":                    `host == "" && domain == "" && status == 0 && year == 2020 && month == 0`,
		"com,a)/ 20x0 http://1.2.3.4/ - 2000000000000 D - - - 6 f":                   `host == "1.2.3.4" && domain == "1.2.3.4" && status == 0 && year == 0 && length == -1`,
		`uk,co,a,www:8080)/ 2020 {"filename": "f", "offset": 1, "digest": "sha1:D"}`: `host == "www.a.co.uk" && domain == "a.co.uk" && digest == "D"`,
		"http://A.example:81/\tf\t1\t2":                                              `surt == "example,a:81)/" && host == "a.example"`,
	} {
		e, err := CompileCondition(want, &Captures)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := e.Match(capture(t, line)); !ok || err != nil {
			t.Errorf("%s: not %s: %v", line, want, err)
		}
	}
}

func TestKeyRanges(t *testing.T) {
	r := func(bounds ...string) (ranges []Range) {
		for i := 0; i < len(bounds); i += 2 {
			ranges = append(ranges, Range{bounds[i], bounds[i+1]})
		}
		return ranges
	}
	for source, want := range map[string][]Range{
		`status == 200`:                        everything,
		`surt == "com,a)/"`:                    r("com,a)/ ", "com,a)/!"),
		`surt startsWith "com,a)" && year > 1`: r("com,a)", "com,a*"),
		`surt >= "a" && surt < "b"`:            r("a", "b!"),
		`"b" > surt`:                           r("", "b!"),
		`surt < "a" || surt > "c"`:             r("", "a!", "c", ""),
		`surt == "a" && surt == "b"`:           nil,
		`surt in ["b", "a"]`:                   r("a ", "a!", "b ", "b!"),
		`not (surt == "a")`:                    everything,
		`surt == "a" || status == 200`:         everything,
		`false || surt == "a"`:                 r("a ", "a!"),
		`url == "http://www.a.com/x"`:          r("com,a)/x ", "com,a)/x!", "com,a)/x?__wb_", "com,a)/x?__wb`"),
		`url startsWith "http://a.com/x"`:      r("com,a)", "com,a*", "com,a:", "com,a;"),
		`url startsWith "http://a.com"`:        everything,
		`url contains "a.com"`:                 everything,
		`host == "a.com"`:                      r("com,a)", "com,a*", "com,a:", "com,a;"),
		`domain == "a.com"`:                    r("com,a)", "com,a*", "com,a,", "com,a-", "com,a:", "com,a;"),
		`host == ""`:                           everything,
		`surt == url`:                          everything,
	} {
		e, err := CompileCondition(source, &Captures)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if diff := cmp.Diff(want, e.KeyRanges()); diff != "" {
			t.Errorf("%s:\n%s", source, diff)
		}
		if byURL := strings.HasPrefix(source, "url ==") || strings.Contains(source, "://") || strings.Contains(source, `"a.com"`) && !strings.Contains(source, "contains"); e.ByURL() != byURL && Selects(want) {
			t.Errorf("%s: by URL: %v", source, e.ByURL())
		}
	}
}
