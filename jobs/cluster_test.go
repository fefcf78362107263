package jobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cluster is a bench of which some files are in HDFS too, at the same paths.
type cluster struct{ *bench }

// onCluster puts a bench beside a Hadoop; where none is up, the test is skipped.
func onCluster(t *testing.T, make func(*testing.T) *bench) *cluster {
	t.Helper()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	return &cluster{make(t)}
}

// slowOnCluster skips a test whose many stages take minutes, unless it is asked for.
func slowOnCluster(t *testing.T) {
	t.Helper()
	if os.Getenv("ARCHIVESTREAM_SLOW") == "" {
		t.Skip("ARCHIVESTREAM_SLOW is not set: many small stages take minutes there")
	}
}

// hadoop gives the command that runs another one where Hadoop can be reached.
func hadoop(args ...string) *exec.Cmd {
	return exec.Command(filepath.Join(root, "scripts", "hadoop.sh"), append([]string{"run"}, args...)...)
}

// hadoop runs a command to its end and gives its output.
func (c *cluster) hadoop(args ...string) string {
	c.Helper()
	var out, errs bytes.Buffer
	cmd := hadoop(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		c.Fatalf("%s: %v: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}

// webhdfs gives the command that has the name node do something with the folder of
// the test. A client of Hadoop's own takes seconds for it.
func (c *cluster) webhdfs(method, operation string) []string {
	name := "root"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return []string{"curl", "-sf", "-X", method, "http://127.0.0.1:9870/webhdfs/v1" + c.dir + "?user.name=" + name + "&op=" + operation}
}

// upload puts files and folders of the bench into HDFS, for as long as the test runs.
func (c *cluster) upload(names ...string) {
	c.Helper()
	c.hadoop(c.webhdfs("PUT", "MKDIRS")...)
	c.Cleanup(func() { hadoop(c.webhdfs("DELETE", "DELETE&recursive=true")...).Run() })
	put := []string{"hdfs", "dfs", "-put"}
	for _, name := range names {
		put = append(put, c.path(name))
	}
	c.hadoop(append(put, c.dir)...)
}

// launch begins any job on Hadoop, with its output at the same path in HDFS. The
// locale is one in which Java knows ASCII only.
func (c *cluster) launch(output, script string, args ...string) *job {
	c.Helper()
	args = append([]string{c.path("jobs/" + script), "--engine", "hadoop", "--output", c.path(output)}, args...)
	return c.begin(output, hadoop(args...), "LC_ALL=C")
}

// sameHere runs a job to its end, on Hadoop with so many tasks and here with as many
// as there are by default, and compares what both make, which it gives; what is made
// here gets the same path. Rejects may name files by where they are.
func (c *cluster) sameHere(output, script string, tasks []string, args ...string) map[string]string {
	c.Helper()
	args = append([]string{"--quiet"}, args...)
	there := c.launch(output, script, append(args, tasks...)...)
	here := c.begin(output+"-here", exec.Command(c.path("jobs/"+script), append(args, "--output", c.path(output+"-here"))...))
	c.end(here, 0)
	c.end(there, 0)
	want, got := c.tree(output+"-here"), c.fetch(output)
	got["_rejects.tsv"] = strings.ReplaceAll(got["_rejects.tsv"], "hdfs://"+c.dir, c.dir)
	c.same(script+": here, and on Hadoop", want, got)
	c.must(os.Rename(c.path(output+"-here"), c.path(output)))
	return want
}

// fetch copies an output from HDFS and gives it as tree does.
func (c *cluster) fetch(output string) map[string]string {
	c.Helper()
	c.must(os.MkdirAll(c.path("fetched"), 0o777))
	c.hadoop("hdfs", "dfs", "-get", c.path(output), c.path("fetched"))
	return c.tree("fetched/" + output)
}

// applications gives the YARN applications of the job with that output that have
// not ended.
func (c *cluster) applications(output string) []string {
	c.Helper()
	var answer struct {
		Apps struct{ App []struct{ ID string } }
	}
	tag := fmt.Sprintf("archivestream-%x", sha256.Sum256([]byte("hdfs://"+c.path(output))))
	text := c.hadoop("curl", "-sf", "http://127.0.0.1:8088/ws/v1/cluster/apps?states=NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING&applicationTags="+tag[:46])
	c.must(json.Unmarshal([]byte(text), &answer))
	var ids []string
	for _, a := range answer.Apps.App {
		ids = append(ids, a.ID)
	}
	return ids
}

// wantNoApplication waits for an application to end, which a job does not.
func (c *cluster) wantNoApplication(output string) {
	c.Helper()
	var running []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		if running = c.applications(output); len(running) == 0 {
			return
		}
	}
	c.Errorf("applications still run: %v", running)
}
