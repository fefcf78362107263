package jobs

import (
	"os"
	"testing"
)

// On a cluster the jobs make the same bytes, with tasks killed.
func TestHadoopCoverAndComponents(t *testing.T) {
	t.Parallel()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	if os.Getenv("ARCHIVESTREAM_SLOW") == "" {
		t.Skip("ARCHIVESTREAM_SLOW is not set: rounds of small jobs take minutes there")
	}
	c := &cluster{newCoverBench(t)}
	c.hadoop("hdfs", "dfs", "-mkdir", "-p", c.dir)
	c.hadoop("hdfs", "dfs", "-put", c.path("input"), c.dir)
	c.Cleanup(func() { hadoop("hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", c.dir).Run() })
	want := map[string]map[string]string{}
	for name := range coverJobs {
		want[name] = c.runCover(name+"-local", name)
	}
	c.killTasks()
	jobs := map[string]*job{}
	for name := range coverJobs {
		args := append(c.coverArguments(name), "--engine", "hadoop", "--output", c.path(name))
		jobs[name] = c.begin(name, hadoop(args...), "LC_ALL=C")
	}
	for name, j := range jobs {
		c.end(j, 0)
		c.same(name, want[name], c.fetch(name))
		c.wantNoApplication(name)
	}
	if n := c.description("fetched/redundancy").Counters["solve"]["Job Counters"]["Failed reduce tasks"]; n != 1 {
		t.Errorf("%d reducers of the solving stage were killed", n)
	}
}
