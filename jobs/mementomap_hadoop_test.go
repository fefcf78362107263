package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A map is made on Hadoop out of captures, an older map and a blocked list, in two
// ranges of keys: the same bytes as on this machine.
func TestHadoopMementomap(t *testing.T) {
	t.Parallel()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	dir := t.TempDir()
	run := func(cmd *exec.Cmd) {
		t.Helper()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", cmd.Args, err, out)
		}
	}
	older := "!id {uri: \"https://a.example/\"}\nexample,garden)/* 7/3\nexample,library)/x 2/1\norg,old) 1\n"
	for name, content := range map[string]string{"older.ukvs": older, "blocked.txt": "example,garden,media,*\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"captures.cdxj", "crawl-2020.cdx"} {
		content, err := os.ReadFile(filepath.Join(root, "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run(hadoop("hdfs", "dfs", "-mkdir", "-p", filepath.Dir(dir)))
	run(hadoop("hdfs", "dfs", "-put", dir, filepath.Dir(dir)))
	t.Cleanup(func() { hadoop("hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", dir).Run() })

	args := []string{
		"--input", filepath.Join(dir, "captures.cdxj"), filepath.Join(dir, "crawl-2020.cdx"),
		"--update", filepath.Join(dir, "older.ukvs"), "--blocked", filepath.Join(dir, "blocked.txt"),
		"--where", `status == 200 && mime != "image/png"`, "--reducers", "2", "--quiet",
	}
	job := filepath.Join(root, "jobs", "mementomap.sh")
	local, far := filepath.Join(dir, "local"), filepath.Join(dir, "far")
	run(exec.Command(job, append([]string{"--output", local}, args...)...))
	run(hadoop(append([]string{job, "--engine", "hadoop", "--output", far}, args...)...))
	run(hadoop("hdfs", "dfs", "-get", far, far))
	for _, name := range []string{"mementomap.ukvs", "stats.json", "_rejects.tsv"} {
		want, err := os.ReadFile(filepath.Join(local, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(far, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
