package index

import (
	"strings"
	"testing"

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
