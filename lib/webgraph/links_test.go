package webgraph

import (
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// FuzzLinkLines wants each line to be folded into at most an edge and two vertices,
// or to be rejected, and what is left to be edges of vertices.
func FuzzLinkLines(f *testing.F) {
	f.Add("com.a\torg.b.www\tlink\t3\ncom.a\t\t\t1\nuk.co\tuk.co.c\tnofollow\t1", true)
	f.Add("com.a\torg.b\tlink\t9223372036854775807\ncom.a\torg.b\tlink\t1\n\n\x00\tx\trequisite\t1\ncom.xn--\t\t\t1", false)
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, lines string, domains bool) {
		fold := FoldOptions{Level: HostLevel, Hyperlinks: true, Requisites: true, NoFollow: true}
		if domains {
			fold.Level = DomainLevel
		}
		c := &chain{TB: t, folder: folder}
		sums := c.reduce(c.run(lines, func(t *stage.Task) error { return FoldLinks(t, fold) }), SumLinks)
		vertices := map[string]bool{}
		for line := range strings.Lines(sums) { // vertices are in front of their edges
			switch f := strings.Split(line, "\t"); {
			case len(f) != 4 || strings.HasPrefix(f[3], "-"):
				t.Errorf("%q: %q", lines, line)
			case f[1] == "":
				vertices[f[0]] = true
			case f[2] != "" || !vertices[f[0]]:
				t.Errorf("%q: %q of no vertex", lines, line)
			}
		}
	})
}

// FuzzHosts wants names of URLs to be names that FoldLinks takes.
func FuzzHosts(f *testing.F) {
	f.Add([]byte("http://user@WWW.Exämple.org.:80/a?b"))
	f.Add([]byte("//xn--a.co.uk\\x"))
	f.Fuzz(func(t *testing.T, url []byte) {
		name := NewHosts().Reversed(url)
		if name == "" {
			return
		}
		if !isName([]byte(name)) {
			t.Fatalf("%q: %q is no name", url, name)
		}
		if domain := Domain(name); domain != name && !strings.HasPrefix(name, domain+".") {
			t.Errorf("%q: %q is not in domain %q", url, name, domain)
		}
	})
}
