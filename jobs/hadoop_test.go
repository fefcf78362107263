package jobs

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := onCluster(t, newBench)
	c.holdMapper()
	return c
}

// start begins an extraction on Hadoop. Each task takes seconds to start, so that
// there are fewer and larger record files than in other tests.
func (c *cluster) start(output string, args ...string) *job {
	c.Helper()
	return c.launch(output, "extract.sh", append([]string{"--archives", c.path("corpus/archives"), "--max-size", "800KB"}, args...)...)
}

// compare runs the job on the embedded engine, undisturbed, and fetches what
// Hadoop has made.
func (c *cluster) compare(output string, args ...string) description {
	c.Helper()
	got := c.fetch(output)
	c.same("output", c.run(output+"-local", append([]string{"--max-size", "800KB"}, args...)...), got)
	c.wantNoApplication(output)
	want, d := c.description(output+"-local"), c.description("fetched/"+output)
	c.same("engine", "hadoop", d.Engine)
	c.same("rejects", want.Rejects, d.Rejects)
	for stage, groups := range want.Counters {
		for _, program := range []string{"parse-captures", "drop-duplicates", "cut-splits", "extract-records", "write-tables"} {
			c.same("counters of "+program, groups[program], d.Counters[stage][program])
		}
	}
	return d
}

// A mapper is killed halfway; the lists are read in several splits.
func TestHadoopKilledMapper(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	dir, _, rejected := c.lists()
	c.upload("corpus", "lists")
	c.hold("000002")
	args := []string{"--input", dir, "--reducers", "3"}
	j := c.start("plain", append([]string{"-D", "mapreduce.job.maps=9"}, args...)...)
	c.kill(c.held(j))
	c.end(j, 0)
	c.release()
	d := c.compare("plain", args...)
	c.same("failed tasks", int64(1), d.Counters["extract"]["Job Counters"]["Failed map tasks"])
	slices.Sort(rejected)
	c.same("rejects", rejected, c.rejectedLines("fetched/plain"))
	if n := d.Counters["plan"]["Job Counters"]["Launched map tasks"]; n < 9 {
		t.Errorf("the lists were read by %d tasks only", n)
	}
}

// A mapper is slow, and a second one begun; the order is that of the lists.
func TestHadoopSlowMapper(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	dir, listed, _ := c.lists()
	c.upload("corpus", "lists")
	// Not in the order of their names.
	args := []string{"--input", dir + "/01 packed.tsv.gz", dir + "/00 header.cdx", "--order", "input", "--maps", "7"}
	listed = slices.Concat(listed[300:450], listed[:300])
	c.hold("000002")
	j := c.start("slow", append([]string{"-D", "mapreduce.map.speculative=true"}, args...)...)
	c.held(j)
	c.end(j, 0)
	c.release()
	d := c.compare("slow", args...)
	if d.Counters["extract"]["Job Counters"]["Killed map tasks"] < 1 {
		t.Error("no task was superseded")
	}
	c.same("records", listed, c.inOrder("fetched/slow", listed))
}

// The driver is killed, and its resumption interrupted.
func TestHadoopKilledDriver(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	dir, listed, _ := c.lists()
	c.upload("corpus", "lists")
	args := []string{"--input", dir + "/01*", "--maps", "1"}
	c.hold("000000")
	j := c.start("driver", args...)
	c.held(j)
	c.kill(j.Process.Pid)
	c.end(j, -1)
	left := c.applications("driver")
	if len(left) != 1 {
		t.Fatalf("applications %v", left)
	}
	// The client is gone with the driver.
	time.Sleep(time.Second)
	c.same("processes", map[int]string{}, processesWith("TMPDIR="+c.path("tmp")))

	c.hold("000000")
	j = c.start("driver", append(args, "--resume")...)
	c.held(j)
	if now := c.applications("driver"); len(now) != 1 || now[0] == left[0] {
		t.Errorf("applications %v after %v", now, left)
	}
	c.must(syscall.Kill(-j.Process.Pid, syscall.SIGINT))
	c.end(j, 130)
	c.wantNoApplication("driver")
	c.same("locks", false, strings.Contains(c.hadoop("hdfs", "dfs", "-ls", c.path("driver")), "_lock"))
	c.same("stages done", 2, strings.Count(c.hadoop("hdfs", "dfs", "-ls", c.path("driver/_work")), ".done\n"))

	c.release()
	c.end(c.start("driver", append(args, "--resume")...), 0)
	c.compare("driver", args...)
	c.same("records", bySource(listed[300:450]), bySource(c.records("fetched/driver")))
}

// Small jobs run in the application master alone, if the cluster is told so. The
// name of the output is not ASCII, and the order that of the lists, whose names
// look like parts of URLs.
func TestHadoopSmallJobs(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	dir, _, _ := c.lists()
	c.write("empty/empty.tsv", "")
	c.upload("corpus", "lists", "empty")
	for _, args := range [][]string{
		{"--input", dir, "--unique", "--order", "input"},
		{"--input", c.path("empty")},
	} {
		output := "für größe € " + filepath.Base(args[1])
		c.end(c.start(output, append(args, "-D", "mapreduce.job.ubertask.enable=true")...), 0)
		c.compare(output, args...)
	}
}
