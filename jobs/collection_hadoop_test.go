package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHadoopCollections runs the jobs that describe a collection on Hadoop and here:
// they make the same files. The index is two files that overlap, of which one is gzip,
// and is read by several tasks.
func TestHadoopCollections(t *testing.T) {
	t.Parallel()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	dir := t.TempDir()
	lines := captureLines(5, 150)
	var halves [2][]string
	for i, line := range append(lines, "no capture\n") {
		halves[i%2] = append(halves[i%2], line)
	}
	for name, content := range map[string][]string{
		"index/a.cdx": halves[0], "index/b.cdx": halves[1],
		"uris.txt":      {"http://site3.de/a/page-1\n", "http://site1.com/\n", "http://nowhere.example/\n"},
		"holdings.ukvs": {"com,site1) 1/1\n", "de,site3)/a/page-1 2/1\n", "de,site3)/b/page-1 2/1\n"},
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Join(content, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said(t, "", "gzip", "-n", filepath.Join(dir, "index", "b.cdx"))
	onCluster := func(t *testing.T, args ...string) {
		t.Helper()
		if out, err := hadoop(args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	onCluster(t, "hadoop", "fs", "-mkdir", "-p", filepath.Dir(dir))
	onCluster(t, "hadoop", "fs", "-put", dir, filepath.Dir(dir))
	t.Cleanup(func() { _ = hadoop("hadoop", "fs", "-rm", "-r", "-f", "-skipTrash", dir).Run() })
	for script, args := range map[string][]string{
		"summary.sh":         {"--input", dir + "/index", "--maps", "3", "--reducers", "2"},
		"profile.sh":         {"--input", dir + "/index", "--maps", "3", "--reducers", "2", "--where", "status == 200 && year < 2011"},
		"mementomap-eval.sh": {"--map", dir + "/holdings.ukvs", "--grid", "1,0", "--lookups", dir + "/uris.txt", "--truth", dir + "/index", "--reducers", "2"},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			output := filepath.Join(dir, script)
			job := filepath.Join(root, "jobs", script)
			onCluster(t, append([]string{job, "--quiet", "--engine", "hadoop", "--output", output + "-cluster"}, args...)...)
			onCluster(t, "hadoop", "fs", "-get", output+"-cluster", dir)
			// Here with as many tasks as there are by default.
			here := append([]string{"--quiet", "--output", output + "-here"}, args...)
			for i := 0; i < len(here); i++ {
				if here[i] == "--maps" || here[i] == "--reducers" {
					here = append(here[:i], here[i+2:]...)
					i--
				}
			}
			said(t, "", job, here...)
			if out, err := exec.Command("diff", "-r", "-x", "_job.json", output+"-cluster", output+"-here").CombinedOutput(); err != nil {
				t.Errorf("on the cluster and here: %s", out)
			}
		})
	}
}
