package surt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	formType      = "application/x-www-form-urlencoded"
	multipartType = "multipart/form-data; boundary=b0"
	jsonType      = "application/json"
)

// multipartBody makes a body of parts with the boundary b0.
func multipartBody(parts ...string) string {
	return "--b0\r\n" + strings.Join(parts, "\r\n--b0\r\n") + "\r\n--b0--\r\n"
}

func part(disposition, value string) string {
	return "Content-Disposition: form-data; " + disposition + "\r\n\r\n" + value
}

// A request's body with the query that belongs to it.
type request struct{ contentType, body, query string }

// requests have the same query by pywb, cdxj-indexer and us.
var requests = []request{
	{formType, "", ""},
	{jsonType, "", ""},
	{formType, "a=b&c=d", "a=b&c=d"},
	{formType + "; charset=utf-8", "a=b+c%20d&e=%26%2541", "a=b c d&e=&%41"},
	{formType, "a=%C3%BC\u00fc", "a=\u00fc\u00fc"},
	{formType, "a=%FC", "a=\ufffd"},
	{formType, "a=%E4%B8x%F0%9F%92%F0%80%ED%A0%80%F5", "a=\ufffdx\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"},
	{formType, "%E0%80%E0%A0x%ED%9F%F4%8F%BF%F4%90%C1%C2", "\ufffd\ufffd\ufffdx\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"},
	{formType, "a=%C3\u00fc", "a=\ufffd\u00fc"},
	{formType, "a=\xfc", "__wb_post_data=YT38"},
	{formType, "a=%&b=%4&c=%zz&d=%4", "a=%&b=%4&c=%zz&d=%4"},
	{formType, "a=b\r\n&c", "a=b\r\n&c"},
	{formType, strings.Repeat("\u00fc", 5000), strings.Repeat("\u00fc", 4096)},
	{"Application/X-WWW-Form-Urlencoded", "a=b", "__wb_post_data=YT1i"},

	{multipartType, multipartBody(part(`name="a"`, "b c"), part(`name="d"`, "e&f")), "a=b+c&d=e%26f"},
	{multipartType, multipartBody(part(`name="a"`, "\u00fc"), part(`name="f"; filename="f.bin"`, "\u00fc\xfc\x00")), "a=%C3%BC&f=%C3%BC%FC%00"},
	{multipartType, multipartBody(part(`name="a"`, ""), part(`name=""`, "x")), "a=&=x"},
	{multipartType, multipartBody(part(`name="a"`, "line\r\nline\n\r\n--b\r\n")), "a=line%0D%0Aline%0A%0D%0A--b%0D%0A"},
	{multipartType, multipartBody(part(`name="a;b\"c"`, "1"), part(`NAME=d`, "2")), "a%3Bb%22c=1&d=2"},
	{multipartType, multipartBody("content-type: text/plain\r\nCONTENT-DISPOSITION: form-data;\r\n name=\"a\"\r\n\r\n1"), "a=1"},
	{multipartType, "preamble\r\n" + multipartBody(part(`name="a"`, "1")) + "epilogue", "a=1"},
	{multipartType, multipartBody(part(`name="a"`, strings.Repeat("b", 3000)), part(`name="c"`, strings.Repeat("d", 3000)), part(`name="e"`, "f")),
		"a=" + strings.Repeat("b", 3000) + "&c=" + strings.Repeat("d", 1091)},
	{multipartType, "--b0--", ""},
	{"multipart/form-data", "--b0--", "__wb_post_data=LS1iMC0t"},

	{jsonType, `{"a": "b c", "d": 1, "e": "\u00fc&"}`, "a=b+c&d=1&e=%C3%BC%26"},
	{jsonType, `{"a": [1, {"b": "c", "a": "e"}, 2], "": 3, "c": {}, "d": []}`, "a=1&b=c&a.2_=e&a.3_=2"},
	{jsonType, `{"a": 1, "b": 2, "a": 3}`, "a=3&b=2"},
	{jsonType, `[{"a": 1}, {"a.2_": 2}, {"a": 3}, {"a": 4}]`, "a=1&a.2_=3&a.3_=4"},
	{jsonType, `{"a": [1.5, -0, 0.0001, 0.00001, 123456789.125, 12345678901234567890, 1e-7]}`,
		"a=1.5&a.2_=0&a.3_=0.0001&a.4_=1e-05&a.5_=123456789.125&a.6_=12345678901234567890&a.7_=1e-07"},
	{jsonType, `"text"`, ""},
	{jsonType, `{"a": 1} {"b": 2}`, ""},
	{jsonType, `{"a": `, ""},
	{jsonType, "{\"a\": \"\n\"}", ""},
	{jsonType, "\ufeff{\"a\": 1}", "a=1"},
	{jsonType + "; charset=utf-8", " {\"a\" : \"\\ud83d\\udca9\\/\" } ", "a=%F0%9F%92%A9%2F"},
	{jsonType, `{"a": "` + strings.Repeat("x", 5000) + `"}`, "a=" + strings.Repeat("x", 4094)},

	{"text/plain", `{"a": 1}`, "a=1"},
	{"text/plain;charset=UTF-8", "some text", "__wb_post_data=c29tZSB0ZXh0"},
	{"text/plain", "12", ""},
	{"", "a=b", "__wb_post_data=YT1i"},
	{"application/octet-stream", "\x00\x01\xff", "__wb_post_data=AAH/"},
	{"application/octet-stream", strings.Repeat("\x00", 6000), "__wb_post_data=" + strings.Repeat("A", 4096-15)},
}

// disputed requests have other queries by pywb (as an answer begins with "!", none: it
// raises the exception) or by cdxj-indexer. pywb finds what it has indexed itself, so
// by default it is right.
var disputed = []struct {
	request
	pywb, cdxjIndexer string
}{
	// No body: pywb does not look at it.
	{request{"", "", ""}, "", "__wb_post_data="},

	// JSON: pywb and warcio.js write values as JavaScript does; cdxj-indexer as Python.
	{request{jsonType, `{"a": [true, false, null]}`, "a=true&a.2_=false&a.3_=null"}, "a=true&a.2_=false&a.3_=null", "a=True&a.2_=False&a.3_=None"},
	{request{jsonType, `{"a": [1.0, -0.0, 1e3]}`, "a=1&a.2_=0&a.3_=1000"}, "a=1&a.2_=0&a.3_=1000", "a=1.0&a.2_=-0.0&a.3_=1000.0"},
	{request{jsonType, `{"a": 1e23}`, "a=99999999999999991611392"}, "a=99999999999999991611392", "a=1e%2B23"},
	{request{jsonType, `{"a": 1e999}`, ""}, "", "a=inf"},
	// JSON lines are no JSON; of those that have one of their own cdxj-indexer makes a query.
	{request{jsonType, "{\"a\": 1}\n{\"b\": 2}", ""}, "", "a=1&b=2"},
	// No UTF-8: pywb fails at printing it. As with other text that is no JSON, nothing is made of it.
	{request{jsonType, "{\"a\": \"\xfc\"}", ""}, "!UnicodeDecodeError", ""},
	// NaN is no JSON (RFC 8259, 6), but Python takes it for some.
	{request{jsonType, `{"a": NaN}`, ""}, "a=nan", "a=nan"},

	// Multipart: cdxj-indexer is strict, also where RFC 2046, 5.1.1 lets bodies be, or asks
	// readers to go on.
	{request{multipartType, multipartBody(part(`name="a"`, "\xfc")), "a=%EF%BF%BD"}, "a=%EF%BF%BD", "!UnicodeDecodeError"},
	{request{multipartType, multipartBody(part(`name="a"`, "\r\n--b01")), "a=%0D%0A--b01"}, "a=%0D%0A--b01", "!ParserError"},
	{request{multipartType, "--b0\r\n" + part(`name="a"`, "cut"), "a=cut"}, "a=cut", "!ParserError"},
	{request{multipartType, "--b0\nContent-Disposition: form-data; name=a\n\n1\n--b0--", "a=1"}, "a=1", "!ParserError"},
	{request{multipartType, "nothing of the kind", ""}, "", "!ParserError"},
	{request{`multipart/form-data; boundary="b0"`, multipartBody(part(`name="a"`, "1")), "a=1"}, "a=1", "!ParserError"},
	// A part without name: Python prints its absence.
	{request{multipartType, multipartBody(part("", "y")), "None=y"}, "None=y", "=y"},

	// AMF, which died with Flash: both decode it with PyAMF. We keep the bytes.
	{request{"application/x-amf", "\x00\x03\x00\x00\x00\x00", "__wb_post_data=AAMAAAAA"}, "request=%3CEnvelope%3E%5B%5D%3C%2FEnvelope%3E", "request=%3CEnvelope%3E%5B%5D%3C%2FEnvelope%3E"},
}

func TestAppendRequestQuery(t *testing.T) {
	all := requests
	for _, d := range disputed {
		all = append(all, d.request)
	}
	for _, tt := range all {
		if got := string(AppendRequestQuery([]byte("kept "), []byte(tt.contentType), []byte(tt.body))); got != "kept "+tt.query {
			t.Errorf("%s %.100q:\n got %q\nwant %q", tt.contentType, tt.body, got, "kept "+tt.query)
		}
	}
}

func TestAppendRequestURL(t *testing.T) {
	for _, tt := range []struct{ url, method, query, want string }{
		{"http://a.example/", "GET", "b=c", "http://a.example/"},
		{"http://a.example/", "get", "b=c", "http://a.example/"},
		{"http://a.example/", "HEAD", "", "http://a.example/?__wb_method=HEAD"},
		{"http://a.example/", "post", "", "http://a.example/?__wb_method=POST"},
		{"http://a.example/?d", "PUT", "b=c", "http://a.example/?d&__wb_method=PUT&b=c"},
	} {
		if got := string(AppendRequestURL(nil, []byte(tt.url), []byte(tt.method), []byte(tt.query))); got != tt.want {
			t.Errorf("%s %s %s: got %q, want %q", tt.method, tt.url, tt.query, got, tt.want)
		}
	}
}

// TestRequestsEqualPython asks pywb and cdxj-indexer for the URLs of requests.
func TestRequestsEqualPython(t *testing.T) {
	type tools struct{ pywb, cdxjIndexer string }
	var questions [][]string
	var want []tools
	ask := func(r request, pywb, cdxjIndexer string) {
		for _, url := range []string{"http://a.example/", "http://a.example/?q"} {
			questions = append(questions, []string{"POST", r.contentType, url, r.body})
			extended := func(query string) string {
				if strings.HasPrefix(query, "!") {
					return query
				}
				return string(AppendRequestURL(nil, []byte(url), []byte("POST"), []byte(query)))
			}
			want = append(want, tools{extended(pywb), extended(cdxjIndexer)})
		}
	}
	for _, r := range requests {
		ask(r, r.query, r.query)
	}
	for _, d := range disputed {
		if d.pywb == d.query && d.cdxjIndexer == d.query {
			t.Errorf("%s %q is not disputed", d.contentType, d.body)
		}
		ask(d.request, d.pywb, d.cdxjIndexer)
	}
	for i, answer := range asked(t, "bodies", questions) {
		if got := (tools{answer[0], answer[1]}); got != want[i] {
			t.Errorf("%s %.100q:\n got %q\nwant %q", questions[i][1], questions[i][3], got, want[i])
		}
	}
}

func FuzzAppendRequestQuery(f *testing.F) {
	for _, tt := range requests {
		if len(tt.body) < 1000 {
			f.Add([]byte(tt.contentType), []byte(tt.body))
		}
	}
	f.Fuzz(func(t *testing.T, contentType, body []byte) {
		query := AppendRequestQuery(nil, contentType, body)
		if !utf8.Valid(query) {
			t.Errorf("%q %q: %q is no UTF-8", contentType, body, query)
		}
		if n := utf8.RuneCount(query); n > maxQuery {
			t.Errorf("%q %q: %d characters", contentType, body, n)
		}
	})
}
