package extract

import (
	"testing"

	"archivestream/lib/cdx"
)

// TestAgree holds lines against records: what indexers write differently passes, what
// is another record's does not.
func TestAgree(t *testing.T) {
	const date = "2014-01-03T03:03:21Z"
	for _, test := range []struct {
		listed, found string
		same          bool
	}{
		{"http://example.com/", "http://example.com/", true},
		{"http://example.com/a b", "http://example.com/a%20b", true},
		{"http://example.com/a%0Ab", "http://example.com/a\nb", true},
		{"http://example.com/ab", "http://example.com/a\r\nb", true},
		{"http://example.com/", "<http://example.com/>", true},
		{"http://example.com", "http://example.com/", true},
		{"http://example.com?a=1", "http://example.com/?a=1", true},
		{"HTTP://Example.COM/", "http://example.com:80/", true},
		{"https://example.com/", "https://example.com:443/", true},
		{"http://example.com/%c3%a9", "http://example.com/\u00e9", true},
		{"http://example.com/%E9", "http://example.com/\u00e9", true},
		{"http://example.com/%7euser", "http://example.com/~user", true},
		{"http://example.com/x", "http://example.com/x#top", true},
		{"example.com:80/x", "http://example.com:80/x", true},
		{"example.com", "http://example.com/", true},
		{"-", "", true},
		{"warcinfo:/a.warc.gz/tool", "", true},
		{"dns:example.com", "dns:example.com", true},
		{"urn:x", "urn:x#top", true},

		{"http://example.com/a", "http://example.com/b", false},
		{"http://example.com/", "https://example.com/", false},
		{"http://www.example.com/", "http://example.com/", false},
		{"http://example.com/A", "http://example.com/a", false},
		{"http://example.com/a%2Fb", "http://example.com/a/b", false},
		{"http://example.com/?a=1&b=2", "http://example.com/?b=2&a=1", false},
		{"http://example.com/?a=1%26b=2", "http://example.com/?a=1&b=2", false},
		{"http://example.com/x#a", "http://example.com/x#b", false},
		{"http://example.com:443/", "http://example.com/", false},
		{"http://user@example.com/", "http://example.com/", false},
		{"http://example.com/", "", false},
		{"http://example.com/", "dns:example.com", false},
		{"dns:example.org", "dns:example.com", false},
	} {
		err := Agree(&cdx.Capture{URL: []byte(test.listed), Timestamp: []byte("20140103030321")}, Head{URL: []byte(test.found), Date: []byte(date)})
		if (err == nil) != test.same {
			t.Errorf("%s, %s: %v", test.listed, test.found, err)
		}
	}
	for _, test := range []struct {
		listed, found string
		same          bool
	}{
		{"20140103030321", date, true},
		{"20140103030321", "2014-01-03T03:03:21.987654Z", true},
		{"20140103030321987", date, true},
		{"2014010303", date, true},
		{"20140103030321", "2014-01-03T04:03:21+01:00", true}, // in UTC
		{"20140103040321", "2014-01-03T04:03:21+01:00", true}, // the zone left out
		{"20140103000000", "2014-01-03", true},
		{"20140103030300", "2014-01-03T03:03Z", true},
		{"20140103030321", "20140103030321", true},
		{"20140103030321", "201401030303", true},
		{"20140103030321", "20140103030321000", true},
		{"20140103030321", "20140103030321 junk", true},
		{"20140101000000", "201400000000000", true}, // a day that a tool has dated to the year
		{"", date, true},
		{"-", date, true},
		{"20140103030321", "", true},
		{"20140103030321", "no date", true},

		{"20140103030322", date, false},
		{"20140103030321", "2014-01-03T03:03:20.987654Z", false},
		{"2015", date, false},
		{"20140103030321", "2014-01-04", false},
		{"20140103050321", "2014-01-03T04:03:21+01:00", false},
		{"20140103030321", "20140103030320", false},
	} {
		url := []byte("http://example.com/")
		err := Agree(&cdx.Capture{URL: url, Timestamp: []byte(test.listed)}, Head{URL: url, Date: []byte(test.found)})
		if (err == nil) != test.same {
			t.Errorf("%s, %s: %v", test.listed, test.found, err)
		}
	}
}

// TestAgreeOnTypeAndKey also has lines that have no URL.
func TestAgreeOnTypeAndKey(t *testing.T) {
	for _, test := range []struct {
		mime, status, kind string
		same               bool
	}{
		{"text/html", "200", "response", true}, {"text/html", "200", "", true}, {"text/html", "200", "resource", true},
		{"text/html", "200", "revisit", true}, // tools that give a revisit its media type
		{"warc/revisit", "200", "revisit", true}, {"warc/revisit", "", "revisit", true}, {"text/html", "204", "metadata", true},
		{"application/warc-fields", "", "metadata", true}, {"unk", "", "request", true},
		{"warc/revisit", "200", "response", false}, {"text/html", "200", "request", false}, {"text/html", "200", "metadata", false},
	} {
		err := Agree(&cdx.Capture{Mime: []byte(test.mime), Status: []byte(test.status)}, Head{Type: []byte(test.kind)})
		if (err == nil) != test.same {
			t.Errorf("%+v: %v", test, err)
		}
	}
	for key, same := range map[string]bool{
		"com,example)/a?b=1": true, "com,example)/a?b=1&__wb_method=post": true, "com,example)/A?b=1": true, "example.com/other": true,
		"com,example)/b": false, "org,example)/a?b=1": false, "-": false,
	} {
		err := Agree(&cdx.Capture{Key: []byte(key)}, Head{URL: []byte("http://www.example.com/a?b=1")})
		if (err == nil) != same {
			t.Errorf("%s: %v", key, err)
		}
	}
	if err := AgreeOriginal([]byte("20140103030321 http://example.com/"), Head{Type: []byte("revisit"), URL: []byte("http://example.com/"), Date: []byte("20140103030321")}); err == nil {
		t.Error("a revisit is no original")
	}
	err := AgreeOriginal([]byte("20140103030321 http://example.com/"), Head{Type: []byte("response"), URL: []byte("http://example.com/"), Date: []byte("20140103030322")})
	if err == nil || err.Error() != "date mismatch: the index says 20140103030321, the record 20140103030322" {
		t.Error(err)
	}
}
