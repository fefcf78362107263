package jobs

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestHadoopSame runs drawn cases of some jobs on Hadoop and here.
func TestHadoopSame(t *testing.T) {
	t.Parallel()
	c := onCluster(t, newProject)
	s := &same{T: t, dir: t.TempDir(), jobs: 1000, cases: map[string]int{}, compared: map[string]int{}}
	s.sources, s.values = s.archives(), s.knownValues()
	for property, script := range map[string]string{"index": "index.sh", "derive": "derive.sh", "select-job": "select.sh"} {
		seed := s.number("ARCHIVESTREAM_SAME_FROM", 1)
		drawn := s.draw(seed)
		for drawn.Property != property {
			seed++
			drawn = s.draw(seed)
		}
		files, err := s.materialize(drawn.Files, c.path(property+"-archives"))
		c.must(err)
		c.upload(property + "-archives")
		t.Run(property, func(t *testing.T) {
			c := &cluster{c.of(t)}
			p := &probe{same: s, c: drawn, dir: c.dir, random: newRandom(seed, 2), files: files}
			args, tasks := append([]string{"--input"}, files...), []string{"--maps", "2"}
			if property == "select-job" {
				// The archives lie in HDFS, and here at the same paths.
				args, tasks = slices.Concat([]string{"--archives"}, files, p.selectOptions()), []string{"--small", "0", "--reducers", "2"}
			} else {
				args = append(args, p.flat()...)
			}
			t.Logf("%s", drawn.quoted())
			if made := c.sameHere(filepath.Base(property), script, tasks, args...); len(made) < 2 {
				t.Errorf("only %d files were made", len(made))
			}
		})
	}
}
