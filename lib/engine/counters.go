package engine

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Groups and names of the counters that the engine itself keeps, spelled as
// Hadoop's client prints them.
const (
	groupJob       = "Job Counters"
	groupFramework = "Map-Reduce Framework"

	mapInputRecords     = "Map input records"
	mapOutputRecords    = "Map output records"
	combineInput        = "Combine input records"
	combineOutput       = "Combine output records"
	reduceInputRecords  = "Reduce input records"
	reduceOutputRecords = "Reduce output records"
)

// hadoopCounterLimit is how many user counters a job may have on Hadoop.
const hadoopCounterLimit = 120

// counters are sums by group and name.
type counters struct {
	mu   sync.Mutex
	sums map[string]map[string]int64
}

func newCounters() *counters { return &counters{sums: map[string]map[string]int64{}} }

func (c *counters) add(group, name string, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.sums[group]
	if g == nil {
		g = map[string]int64{}
		c.sums[group] = g
	}
	g[name] += n
}

func (c *counters) merge(sums map[string]map[string]int64) {
	for group, names := range sums {
		for name, n := range names {
			c.add(group, name, n)
		}
	}
}

// user counts the counters that are not the engine's own.
func (c *counters) user() int {
	n := 0
	for group, names := range c.sums {
		if group != groupJob && group != groupFramework {
			n += len(names)
		}
	}
	return n
}

// print writes the counters in the form of Hadoop's client.
func (c *counters) print(w io.Writer) {
	total := 0
	var groups []string
	for group, names := range c.sums {
		total += len(names)
		if group != groupJob && group != groupFramework {
			groups = append(groups, group)
		}
	}
	sort.Strings(groups)
	var out bytes.Buffer
	fmt.Fprintf(&out, "Counters: %d\n", total)
	for _, group := range append([]string{groupJob, groupFramework}, groups...) {
		if len(c.sums[group]) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\t%s\n", group)
		var names []string
		for name := range c.sums[group] {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Fprintf(&out, "\t\t%s=%d\n", name, c.sums[group][name])
		}
	}
	w.Write(out.Bytes())
}

// parseCounter reads GROUP,NAME,N as hadoop-streaming does: exactly three
// columns, the whole trimmed.
func parseCounter(text string) (group, name string, n int64, ok bool) {
	columns := strings.Split(strings.TrimSpace(text), ",")
	if len(columns) != 3 {
		return "", "", 0, false
	}
	n, err := strconv.ParseInt(columns[2], 10, 64)
	return columns[0], columns[1], n, err == nil
}
