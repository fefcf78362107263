package jobs

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestUpdateIntoItselfKilled kills updates of an index and of a map into their own
// folders, with all their processes, at moments that are drawn. What is there then is
// whole, the older output or the newer one, or is put back by the next run; and the next
// run, which goes on or begins anew, makes what an undisturbed one does.
func TestUpdateIntoItselfKilled(t *testing.T) {
	t.Parallel()
	times := 6
	if os.Getenv("ARCHIVESTREAM_SLOW") != "" {
		times = 60
	}
	archives := func(name string) string { return filepath.Join(root, "testdata", "archives", name) }
	for name, u := range map[string]struct {
		older, update []string
	}{
		"index": {
			[]string{"index.sh", "--input", archives("garden.warc.gz"), archives("garden.arc.gz")},
			[]string{"index.sh", "--input", archives("crawl-2020.warc.gz"), archives("crawl-2021.warc.gz"), "--zipnum", "--shards", "2", "--update", "OUT"},
		},
		"map": {
			[]string{"mementomap.sh", "--input", filepath.Join(root, "testdata", "captures.cdxj")},
			[]string{"mementomap.sh", "--input", filepath.Join(root, "testdata", "captures.cdx"), "--update", "OUT/mementomap.ukvs"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newProject(t)
			start := func(output string, words []string, more ...string) *job {
				args := append([]string{"--quiet", "--output", b.path(output)}, more...)
				for _, word := range words[1:] {
					if rest, ok := strings.CutPrefix(word, "OUT"); ok {
						word = b.path(output) + rest
					}
					args = append(args, word)
				}
				return b.begin(output, exec.Command(b.path("jobs/"+words[0]), args...))
			}
			b.end(start("older", u.older), 0)
			older := b.tree("older")
			again := func(output string) {
				b.must(os.RemoveAll(b.path(output)))
				b.must(exec.Command("cp", "-r", b.path("older"), b.path(output)).Run())
			}
			again("out")
			began := time.Now()
			b.end(start("out", u.update, "--force"), 0)
			lasts := time.Since(began)
			newer := b.tree("out")
			if cmp.Equal(older, newer) {
				t.Fatal("the update changes nothing")
			}
			r := rand.New(rand.NewPCG(drawnSeed(t), 0))
			for i := range times {
				again("out")
				j := start("out", u.update, "--force")
				time.Sleep(time.Duration(r.Int64N(int64(lasts))))
				syscall.Kill(-j.Process.Pid, syscall.SIGKILL)
				<-j.done
				if b.there("out") {
					if found := b.withoutWork("out"); !cmp.Equal(found, older) && !cmp.Equal(found, newer) {
						t.Fatalf("kill %d left neither the older output nor the newer one: %s", i, cmp.Diff(newer, found))
					}
				}
				way := "--force"
				if r.IntN(2) == 0 {
					way = "--resume"
				}
				b.end(start("out", u.update, way), 0)
				if diff := cmp.Diff(newer, b.tree("out")); diff != "" {
					t.Fatalf("after kill %d and %s (-undisturbed +now):\n%s", i, way, diff)
				}
				left, err := filepath.Glob(b.path(".*"))
				if err != nil || len(left) > 0 {
					t.Fatalf("after kill %d and %s: left %q, %v", i, way, left, err)
				}
			}
		})
	}
}

// withoutWork is tree without what a job at work has there.
func (b *bench) withoutWork(dir string) map[string]string {
	files := b.tree(dir)
	for name := range files {
		if name[0] == '_' && name != "_SUCCESS" && name != "_rejects.tsv" {
			delete(files, name)
		}
	}
	return files
}
