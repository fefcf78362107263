package jobs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHadoopDataset publishes two crawls on Hadoop, merges their indexes and makes a
// graph of what was derived: the same files as on this machine. The names of the
// archive files are odd.
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
	c.sameHere("graph", "webgraph.sh", []string{"--maps", "3", "--reducers", "2"}, "--input",
		filepath.Join(c.dir, "eot-2008/crawl-data/EOT-2008/segments/*/wat"), archives, "--links", "all", "--weights", "--tolerance", "1", "--iterations", "2")
}
