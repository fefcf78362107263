package mementomap

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"archivestream/lib/stage"
)

// TestLogLine takes the first URI of a request, whichever its scheme is: those behind it
// belong to it.
func TestLogLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`https://a.example/?u=http://b.example/ 200`:                                                                              "https://a.example/?u=http://b.example/",
		"http://a.example/\t404":                                                                                                  "http://a.example/",
		`192.0.2.1 - - [x] "GET http://a.example/?u=https://b.example/ HTTP/1.1" 200 12`:                                          "http://a.example/?u=https://b.example/",
		`192.0.2.1 - - [x] "GET /web/2020/https://web.archive.org/web/2012/http://b.example/ HTTP/1.1" 200 12`:                    "https://web.archive.org/web/2012/http://b.example/",
		`192.0.2.1 - - [x] "GET /web/2020/http://web.archive.org/save/https://b.example/ HTTP/1.1" 404 12 "http://c.example/" ""`: "http://web.archive.org/save/https://b.example/",
		`192.0.2.1 - - [x] "GET / HTTP/1.1" 200 12`:                                                                               "",
	} {
		if uri, _, _ := logLine([]byte(line)); string(uri) != want {
			t.Errorf("%s: %q, expected %q", line, uri, want)
		}
	}
}

// TestBlocked leaves out what a list of keys and wildcards covers, wildcards of maps too.
func TestBlocked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ list, key string }{
		{"com,a)/b", "com,a)/b"}, {"com,a)/*", "com,a)/b"}, {"com,a)/*", "com,a)"}, {"com,a)/*", "com,a)/b/*"}, {"com,a)/*", "com,a)/*"},
		{"com,*", "com,a)/b"}, {"com,*", "com,a,*"}, {"com,*", "com,*"}, {"com,a,*", "com,a,b,c,*"}, {"*", "com,a,*"}, {"*", "*"}, {"*", "dns:a.example"},
	} {
		if !isBlocked(t, c.list, c.key) {
			t.Errorf("%s does not block %s", c.list, c.key)
		}
	}
	for _, c := range []struct{ list, key string }{
		{"com,a)/b", "com,a)/b/c"}, {"com,a)/*", "com,a,*"}, {"com,a,*", "com,*"}, {"com,a,*", "com,ab,*"}, {"com,a)/b/*", "com,a)/*"}, {"com,*", "*"},
	} {
		if isBlocked(t, c.list, c.key) {
			t.Errorf("%s blocks %s", c.list, c.key)
		}
	}
}

func isBlocked(t *testing.T, list, key string) bool {
	t.Helper()
	name := filepath.Join(t.TempDir(), "blocked")
	if err := os.WriteFile(name, []byte(list+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ := execute(t, key+" 1\n", nil, func(t *stage.Task) error { return CountCaptures(t, CountOptions{Blocked: name}) })
	return out == ""
}

// TestIsPublicSuffix knows both sections of the list: registries' and others'.
func TestIsPublicSuffix(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"pt": true, "uk,co": true, "io,github": true, "nosuchtld": true, "pt,arquivo": false, "uk,co,bbc": false, "io,github,someone": false, "nosuchtld,a": false,
		"1,0,0,127": false,
	} {
		if got := IsPublicSuffix([]byte(host)); got != want {
			t.Errorf("%s: %t", host, got)
		}
	}
}

// TestFittedCurvesAreTaken reads each curve that Fit can find: nodes can have more children
// the deeper they are.
func TestFittedCurvesAreTaken(t *testing.T) {
	t.Parallel()
	for _, families := range [][]Family{{{1, 2}, {1, 3}, {1, 4}}, {{1, 9}, {1, 3}, {1, 1}}, {{1, 1}, {1, 1}}, {{1, 7}}} {
		c, ok := Fit(families, 0)
		text := fmt.Sprintf("%.6g,%.6g", c.A, c.K)
		if _, err := ParseCurve(text); err != nil || !ok {
			t.Errorf("%v: %v", families, err)
		}
	}
	for _, text := range []string{"", "1", "1,", ",1", "-1,1", "1,inf", "1,2,3", "NaN,1"} {
		if c, err := ParseCurve(text); err == nil {
			t.Errorf("%q: %v", text, c)
		}
	}
}
