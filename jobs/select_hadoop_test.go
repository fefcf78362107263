package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Captures are selected, picked and derived from on Hadoop, revisits resolved, and
// the records of others copied: the same bytes as on this machine.
func TestHadoopSelect(t *testing.T) {
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
	// What rejects say has to be the same too: of a line that is no capture, and of an
	// archive file that is missing.
	index, err := os.ReadFile(filepath.Join(root, "testdata", "captures.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	index = append(index, `zz,broken)/ 2020 {"url": "http://broken.zz/", "mime": "text/html"}
zz,missing)/ 20200101000000 {"url": "http://missing.zz/", "mime": "text/html", "status": "200", "length": "10", "offset": "5", "filename": "missing.warc.gz"}
`...)
	if err := os.WriteFile(filepath.Join(dir, "index.cdxj"), index, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "archives"), os.DirFS(filepath.Join(root, "testdata", "archives"))); err != nil {
		t.Fatal(err)
	}
	run(hadoop("hdfs", "dfs", "-mkdir", "-p", filepath.Dir(dir)))
	run(hadoop("hdfs", "dfs", "-put", dir, filepath.Dir(dir)))
	t.Cleanup(func() { hadoop("hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", dir).Run() })

	job := filepath.Join(root, "jobs", "select.sh")
	for _, test := range []struct {
		name    string
		options []string
	}{
		{"json", []string{
			"--where", `status == 200 && mime != "image/png"`, "--pick", "latest", "--reducers", "2", "--small", "0", "--max-size", "3kB",
			"--enrich", "payload.string.html.title,payload.string.length,httpHeader", "--map-enrich", `payload short = len(payload.string ?? "") < 2000`,
			"--keep", "payload.length > 100",
		}},
		{"warc", []string{"--where", `host == "garden.example"`, "--pick", "first-per-digest", "--reducers", "2", "--small", "0", "--max-size", "60kB", "--save", "warc"}},
	} {
		args := append([]string{"--cdx", filepath.Join(dir, "index.cdxj"), "--archives", filepath.Join(dir, "archives"), "--quiet"}, test.options...)
		local, far := filepath.Join(dir, "local-"+test.name), filepath.Join(dir, "far-"+test.name)
		run(exec.Command(job, append([]string{"--output", local}, args...)...))
		run(hadoop(append([]string{job, "--engine", "hadoop", "--output", far}, args...)...))
		run(hadoop("hdfs", "dfs", "-get", far, far))
		want, got := folder(t, local), folder(t, far)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
		if len(want) < 4 {
			t.Errorf("%s: only %d files were made", test.name, len(want))
		}
		if test.name == "json" && len(want["_rejects.tsv"]) == 0 {
			t.Error("nothing is rejected")
		}
	}
}

// folder gives the files below a folder by their names, without the description of
// the job.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "_job.json" {
			files[e.Name()] = string(content)
		}
	}
	return files
}
