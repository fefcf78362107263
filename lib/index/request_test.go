package index

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
)

// request makes a request record that names the response's id as concurrent.
func request(url, block string) string {
	return record(block, "WARC-Type: request", "WARC-Target-URI: "+url, "WARC-Date: 2020-01-02T03:04:05Z",
		"WARC-Record-ID: <urn:uuid:2>", "WARC-Concurrent-To: <urn:uuid:1>", "Content-Type: application/http; msgtype=request")
}

const post = "POST /a HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nb=1+2&c=%41"

func TestRequestsExtendTheKey(t *testing.T) {
	const u = "http://a.org/x"
	answer := response(u, page)
	other := response("http://b.org/", page)
	joined := "org,a)/x?__wb_method=post&b=1%202&c=a"
	for name, step := range map[string]struct {
		records []string
		want    []string // keys
	}{
		"request behind":     {[]string{answer, request(u, post)}, []string{joined}},
		"request before":     {[]string{strings.ReplaceAll(request(u, post), "Concurrent-To: <urn:uuid:1>", "Concurrent-To: <urn:uuid:9>"), strings.Replace(answer, "WARC-Record-ID: <urn:uuid:1>", "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Concurrent-To: <urn:uuid:2>", 1)}, []string{joined}},
		"not concurrent":     {[]string{strings.Replace(answer, "uuid:1", "uuid:7", 1), request(u, post)}, []string{"org,a)/x"}},
		"of another URL":     {[]string{answer, request(u+"y", post)}, []string{"org,a)/x"}},
		"not the next":       {[]string{answer, other, request(u, post)}, []string{"org,a)/x", "org,b)/"}},
		"two pairs":          {[]string{answer, request(u, post), answer, request(u, post), other}, []string{joined, joined, "org,b)/"}},
		"one for two":        {[]string{answer, request(u, post), answer}, []string{joined, "org,a)/x"}},
		"GET":                {[]string{answer, request(u, "GET /x HTTP/1.1\r\n\r\n")}, []string{"org,a)/x"}},
		"other method":       {[]string{answer, request(u, "options /x HTTP/1.1\r\n\r\nbody")}, []string{"org,a)/x?__wb_method=options"}},
		"no method":          {[]string{answer, request(u, "HTTP/1.1 200\r\n\r\n")}, []string{"org,a)/x"}},
		"URL with a query":   {[]string{response(u+"?q", page), request(u+"?q", post)}, []string{"org,a)/x?__wb_method=post&b=1%202&c=a&q"}},
		"chunked":            {[]string{answer, request(u, "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n7\r\n{\"a\":1}\r\n0\r\n\r\n")}, []string{"org,a)/x?__wb_method=post&a=1"}},
		"chunked no more":    {[]string{answer, request(u, "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n{\"a\":1}")}, []string{"org,a)/x?__wb_method=post&a=1"}},
		"request left alone": {[]string{request(u, post), other}, []string{"org,b)/"}},
	} {
		lines, faults := indexOf(t, Options{PostAppend: true}, cdx.LayoutCDXJ, strings.Join(step.records, ""))
		var got []string
		for _, line := range lines {
			key, _, _ := strings.Cut(line, " ")
			got = append(got, key)
			if want := strings.Contains(key, "__wb_method"); strings.Contains(line, `"method": "`) != want {
				t.Errorf("%s: %s", name, line)
			}
		}
		if diff := cmp.Diff(step.want, got); diff != "" || len(faults) > 0 {
			t.Errorf("%s: faults %q\n%s", name, faults, diff)
		}
	}
	lines, _ := indexOf(t, Options{}, cdx.LayoutCDXJ, answer+request(u, post))
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "org,a)/x 2020") {
		t.Errorf("without PostAppend: %q", lines)
	}
}

func TestQueryOfABody(t *testing.T) {
	for _, step := range []struct{ contentType, body, want string }{
		{"application/x-www-form-urlencoded; charset=x", "a=b+c%20d%zz%4", "a=b c d%zz%4"},
		{"Application/X-WWW-form-urlencoded", "a=\xff", "__wb_post_data=YT3/"},
		{"application/x-www-form-urlencoded", "a=%ff", "a=\ufffd"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1 2\r\n--b\r\nContent-Disposition: form-data; name=\"c\"; filename=\"f\"\r\n\r\n^\r\n--b--\r\n", "a=1+2&c=%5E"},
		{"multipart/form-data", "--b", "__wb_post_data=LS1i"},
		{"multipart/form-data; boundary=b", "no parts", ""},
		{"application/json", `{"a": {"b": [1, 2.0, 1.5, 1e3], "c": null}, "d": true, "e": ["x", {"b": "y"}]}`, "b=1&b.2_=2&b.3_=1.5&b.4_=1000&c=null&d=true&e=x&b.5_=y"},
		{"application/json", `{"a": "b=&c"}`, "a=b%3D%26c"},
		{"application/json", `["x", 1]`, ""},
		{"application/json", "{\"a\": 1}\n{\"b\": 2}\n", "a=1&b=2"},
		{"application/json", `{"a": `, ""},
		{"application/json", strings.Repeat("[", maxRequest), ""},
		{"text/plain;charset=UTF-8", `{"a": 1}`, "a=1"},
		{"text/plain", "text", "__wb_post_data=dGV4dA=="},
		{"", "text", "__wb_post_data=dGV4dA=="},
		{"application/json", "", ""},
	} {
		if got := string(appendQuery([]byte("?"), []byte(step.contentType), []byte(step.body))); got != "?"+step.want {
			t.Errorf("%s %.100q: %q, want %q", step.contentType, step.body, got[1:], step.want)
		}
	}
	long := appendQuery(nil, nil, []byte(strings.Repeat("x", 10*maxQuery)))
	if len(long) != maxQuery {
		t.Errorf("%d bytes of a long body, want %d", len(long), maxQuery)
	}
}

// FuzzQuery holds what goes into a key to its bounds, whatever the body is.
func FuzzQuery(f *testing.F) {
	f.Add("application/json", []byte(`{"a": [1, {"b": null}], "a": 1e400}`))
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--"))
	f.Add("application/x-www-form-urlencoded", []byte("a=%e9+%"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		query := appendQuery(nil, []byte(contentType), body)
		if !utf8.Valid(query) || utf8.RuneCount(query) > maxQuery {
			t.Fatalf("%s %q: %q", contentType, body, query)
		}
	})
}
