package jobs

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestHadoopDataset publishes two crawls on Hadoop and merges their indexes: the same
// files as on this machine. The names of some archive files are odd.
func TestHadoopDataset(t *testing.T) {
	t.Parallel()
	slowOnCluster(t)
	c := onCluster(t, newProject)
	c.copy("archives")
	for name, odd := range map[string]string{
		"crawl-2020.warc.gz": "crawl 2020 + 50%25 é,{a}.warc.gz",
		"garden.arc.gz":      "garden one=#1'.arc.gz",
	} {
		c.must(os.Rename(c.path("archives/"+name), c.path("archives/"+odd)))
	}
	c.upload("archives")
	archives := c.path("archives")
	tasks := []string{"--maps", "3"}
	c.sameHere("eot-2008", "dataset.sh", tasks, "--crawl", "EOT-2008", "--partition", "LOC="+archives+"/garden*", "--segment-size", "2")
	made := c.sameHere("eot-2020", "dataset.sh", append(tasks, "--reducers", "2"),
		"--crawl", "EOT-2020", "--partition", "IA="+archives+"/c*", "--shards", "2", "--sources", "none")
	for name := range made {
		if strings.Contains(name, "/warc/") {
			t.Errorf("%s was not wanted", name)
		}
	}
	c.sameHere("all", "merge.sh", tasks, "--input",
		c.path("eot-2008/collections/EOT-2008/indexes"), c.path("eot-2020/collections/EOT-2020/indexes"), "--shards", "2")
}

// TestHadoopWebgraph makes a graph on Hadoop out of links and of an archive file: the
// same files as on this machine, with as many reducers.
func TestHadoopWebgraph(t *testing.T) {
	t.Parallel()
	slowOnCluster(t)
	c := onCluster(t, newProject)
	c.write("input/crawl.links", "com.a\torg.b\tlink\t1\ncom.a.www\tcom.a\tlink\t2\norg.b\tuk.co.c\tlink\t1\norg.b\tuk.co.c.www\tnofollow\t1\ncom.a-b\tde.d\tlink\t1\nno link\n")
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=http://b.org/>b</a><img src=http://d.de/x.png><a href=http://www.c.co.uk/>c</a>"
	c.write("input/page é.warc", fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://www.a.com/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block))
	c.upload("input")
	made := c.sameHere("graph", "webgraph.sh", []string{"--maps", "3"}, "--input", c.path("input"),
		"--reducers", "2", "--links", "all", "--weights", "--tolerance", "1", "--iterations", "2")
	if made["_rejects.tsv"] != "fold-links\tno link line: 1 fields\tno link\n" {
		t.Errorf("rejects: %q", made["_rejects.tsv"])
	}
	for _, name := range []string{"vertices/part-00000.txt.gz", "edges/part-00001.txt.gz", "ranks/part-00000.txt.gz"} {
		if made[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}
