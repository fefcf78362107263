package warc

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestARCLines parses lines as they occur in the wild.
func TestARCLines(t *testing.T) {
	const date = "20200102030405"
	for line, test := range map[string]struct {
		want  ARCLine
		loose bool
	}{
		"http://a/ 192.0.2.1 20200102030405 text/html 5\n":             {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: date, ContentType: "text/html", Offset: -1, Length: 5}, false},
		"http://a/ 192.0.2.1 20200102030405 text/html 5\r\n":           {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: date, ContentType: "text/html", Offset: -1, Length: 5}, false},
		"http://a/b  c 2001:db8::1 20200102030405 text/html; x=y 5\n":  {ARCLine{URL: "http://a/b  c", IP: "2001:db8::1", Date: date, ContentType: "text/html; x=y", Offset: -1, Length: 5}, false},
		"http://a/\rb - 2016020900 no-type 0\n":                        {ARCLine{URL: "http://a/\rb", IP: "-", Date: "2016020900", ContentType: "no-type", Offset: -1}, false},
		"http://a/ 192.0.2.1 20200102030405  39\n":                     {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: date, Offset: -1, Length: 39}, false},
		"http://a/ 192.0.2.1 20200102030405 39\n":                      {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: date, Offset: -1, Length: 39}, false},
		"http://a/ 192.0.2.1 200009180023002953 image/gif 5\n":         {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: "200009180023002953", ContentType: "image/gif", Offset: -1, Length: 5}, false},
		"http://a/ 192.0.2.1 20200102030405 text/html 200 x - 9 f 5\n": {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: date, ContentType: "text/html", ResultCode: "200", Checksum: "x", Location: "-", Offset: 9, Filename: "f", Length: 5}, false},
		"http://a/?\xe9 192.0.2.1 20200102030405 text/html 5\n":        {ARCLine{URL: "http://a/?é", IP: "192.0.2.1", Date: date, ContentType: "text/html", Offset: -1, Length: 5}, false},
		"http://a/ None 20160211000000jpg text/html 5\n":               {ARCLine{URL: "http://a/", IP: "None", Date: "20160211000000jpg", ContentType: "text/html", Offset: -1, Length: 5}, true},
		"http://a/ b 20200102030405 192.0.2.1 text/html 5\n":           {ARCLine{URL: "http://a/ b", IP: "192.0.2.1", Date: date, ContentType: "text/html", Offset: -1, Length: 5}, true},
		"http://a/ 20200102030405 text/html 5\n":                       {ARCLine{URL: "http://a/", Date: date, ContentType: "text/html", Offset: -1, Length: 5}, true},
		"http://a/ 192.0.2.1 a0d1fdddf3165d04 text/html 5\n":           {ARCLine{URL: "http://a/", IP: "192.0.2.1", Date: "a0d1fdddf3165d04", ContentType: "text/html", Offset: -1, Length: 5}, true},
		"filedesc:// - - - 76\n":                                       {ARCLine{URL: "filedesc://", IP: "-", Date: "-", ContentType: "-", Offset: -1, Length: 76}, true},
	} {
		record, err := parseARC([]byte(line), nil)
		if record == nil || errors.Is(err, errLooseARC) != test.loose || err != nil && !test.loose {
			t.Errorf("%q: %v, loose %v is wanted", line, err, test.loose)
			continue
		}
		if diff := cmp.Diff(test.want, *record.ARC); diff != "" {
			t.Errorf("%q:\n%s", line, diff)
		}
	}
	for _, line := range []string{"", "\n", "http://a/\n", "http://a/ b c 5\n", "HTTP/1.0 200 OK or not 5\n", "a b c d e\n"} {
		if record, err := parseARC([]byte(line), nil); record != nil || err == nil {
			t.Errorf("%q: %+v, want none", line, record)
		}
	}
}
