package jobs

import (
	"strings"
	"testing"
)

// TestHadoopCollections runs the jobs that describe a collection on Hadoop and here:
// they make the same files. The index is two files that overlap, of which one is gzip,
// and is read by several tasks.
func TestHadoopCollections(t *testing.T) {
	t.Parallel()
	c := onCluster(t, newProject)
	var halves [2]strings.Builder
	for i, line := range append(captureLines(5, 150), "no capture\n") {
		halves[i%2].WriteString(line)
	}
	c.write("index/a.cdx", halves[0].String())
	said(t, "", "gzip", "-n", c.write("index/b.cdx", halves[1].String()))
	c.write("uris.txt", "http://site3.de/a/page-1\nhttp://site1.com/\nhttp://nowhere.example/\n")
	c.write("holdings.ukvs", "com,site1) 1/1\nde,site3)/a/page-1 2/1\nde,site3)/b/page-1 2/1\n")
	c.upload("index", "uris.txt", "holdings.ukvs")
	index := c.path("index")
	for script, args := range map[string][]string{
		"summary.sh":         {"--input", index},
		"profile.sh":         {"--input", index, "--where", "status == 200 && year < 2011"},
		"mementomap-eval.sh": {"--map", c.path("holdings.ukvs"), "--grid", "1,0", "--lookups", c.path("uris.txt"), "--truth", index},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			c := &cluster{c.of(t)}
			c.sameHere(strings.TrimSuffix(script, ".sh"), script, []string{"--maps", "3", "--reducers", "2"}, args...)
		})
	}
}
