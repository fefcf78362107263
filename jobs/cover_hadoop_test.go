package jobs

import "testing"

// On a cluster the jobs make the same bytes, with tasks killed.
func TestHadoopCoverAndComponents(t *testing.T) {
	t.Parallel()
	slowOnCluster(t)
	c := onCluster(t, newCoverBench)
	c.upload("input")
	want := map[string]map[string]string{}
	for name := range coverJobs {
		want[name] = c.runCover(name+"-local", name)
	}
	c.killTasks()
	jobs := map[string]*job{}
	for name := range coverJobs {
		jobs[name] = c.launch(name, coverJobs[name][0], c.coverArguments(name)[1:]...)
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
