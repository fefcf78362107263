package cdx

import "testing"

// TestSURT takes the key of an index where it is a SURT, and makes one of the URL where it
// is something else.
func TestSURT(t *testing.T) {
	t.Parallel()
	var buffer []byte
	for _, c := range []struct{ key, url, want string }{
		{"com,example)/a", "http://example.com/b", "com,example)/a"},
		{"com,example)", "http://example.com/b", "com,example)"},
		{"com,example)?q", "http://example.com/b", "com,example)?q"},
		{"com,a)b)/x?y", "http://lost/", "com,a)b)/x?y"},
		{"com(1),www1x)/b", "http://lost/", "com(1),www1x)/b"},
		{"http:///%25a?a&z", "http://lost/", "http:///%25a?a&z"},
		{"com,example)/a", "", "com,example)/a"},
		{"", "http://example.com/b", "com,example)/b"},
		{"-", "http://example.com/b", "com,example)/b"},
		{"http://www.example.com/b", "http://www.example.com/b", "com,example)/b"},
		{"https://example.com/b", "https://example.com/b", "com,example)/b"},
		{"example.com/b", "http://example.com/B", "com,example)/b"},
		{"example.com:8080/b", "http://example.com:8080/b", "com,example:8080)/b"},
		{"0-0.example/b", "0-0.example:80/b", "example,0-0)/b"},
		{"dns:example.com", "dns:example.com", "dns:example.com"},
		{"whois://whois.example/a", "whois://whois.example/a", "example,whois)/a"},
		{"warcinfo:/A.warc/b", "warcinfo:/A.warc/b", "warcinfo:/a.warc/b"},
		{"filedesc://a.arc", "filedesc://a.arc", "filedesc://a.arc"},
	} {
		capture := Capture{Key: []byte(c.key), URL: []byte(c.url)}
		if got := string(capture.SURT(&buffer)); got != c.want {
			t.Errorf("key %q, URL %q: %q, expected %q", c.key, c.url, got, c.want)
		}
	}
}
