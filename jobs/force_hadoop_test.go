package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHadoopForce updates an index into its own folder on the cluster, and has jobs
// refused there that would replace what they read, or that are given something else than
// they read. What is there stays as it is then.
func TestHadoopForce(t *testing.T) {
	slowOnCluster(t)
	c := onCluster(t, newProject)
	for folder, archive := range map[string]string{"a": "garden.warc.gz", "b": "crawl-2020.warc.gz"} {
		content := c.copy(filepath.Join("archives", archive))
		c.must(moveInto(c.path(folder), content))
	}
	c.write("notes.txt", "no index\n")
	c.upload("a", "b", "notes.txt")
	c.sameHere("index", "index.sh", nil, "--input", c.path("a"))
	there := c.launch("index", "index.sh", "--quiet", "--input", c.path("b"), "--update", c.path("index"), "--force")
	here := c.begin("updated", exec.Command(c.path("jobs/index.sh"), "--quiet", "--input", c.path("b"), "--update", c.path("index"), "--output", c.path("updated")))
	c.end(here, 0)
	c.end(there, 0)
	want := c.tree("updated")
	stays := func(what string) {
		t.Helper()
		c.must(os.RemoveAll(c.path("fetched")))
		c.same(what, want, c.fetch("index"))
	}
	stays("the updated index")

	refused := func(status int, message, output, script string, args ...string) {
		t.Helper()
		j := c.launch(output, script, args...)
		c.end(j, status)
		if !strings.Contains(j.said.String(), message) {
			t.Errorf("%s %q said %q, not %q", script, args, j.said.String(), message)
		}
	}
	refused(2, "lies in the output folder", "index", "summary.sh", "--force", "--input", c.path("index/index.cdxj"))
	refused(2, "lies in the output folder", "index", "extract.sh", "--force", "--input", c.path("index/index.cdxj"), "--archives", c.path("a"))
	refused(2, "exists", "index", "index.sh", "--input", c.path("a"))
	refused(2, "garden.warc.gz", "other", "summary.sh", "--input", c.path("a"))
	refused(2, "notes.txt", "other", "index.sh", "--input", c.path("notes.txt"))
	refused(1, "no such file", "other", "index.sh", "--input", "/dev/fd/63")
	stays("the index, after all that")
	if left := strings.Fields(c.hadoop("hdfs", "dfs", "-ls", "-C", c.dir)); len(left) != 4 {
		t.Errorf("left in %s: %q", c.dir, left)
	}
}

// moveInto moves a file into a folder that is made for it.
func moveInto(folder, file string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return os.Rename(file, filepath.Join(folder, filepath.Base(file)))
}
