package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// elsewhere are the README's commands that another place runs.
var elsewhere = map[string]string{
	"make test":              "by whoever runs this test",
	"scripts/hadoop.sh up":   "before tests that need Hadoop",
	"scripts/hadoop.sh down": "behind tests that need Hadoop",
}

// readme gives the commands of the README's sh blocks, those of the blocks for a
// cluster, and the make targets.
func readme(t *testing.T) (commands, cluster, targets []string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```(sh)?\n(.*?)\n```").FindAllStringSubmatch(string(content), -1) {
		for command := range strings.SplitSeq(strings.TrimSpace(block[2]), "\n") {
			if _, ok := elsewhere[command]; ok {
				continue
			}
			if block[1] == "sh" {
				commands = append(commands, command)
			} else {
				cluster = append(cluster, command)
			}
		}
	}
	for _, m := range regexp.MustCompile("`make ?([a-z-]*)").FindAllStringSubmatch(string(content), -1) {
		targets = append(targets, m[1])
	}
	return commands, cluster, targets
}

// likeRoot makes a folder that looks like the project's, to be written into: what is
// kept in it, and the programs and the one-node Hadoop that are made.
func likeRoot(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range append([]string{"bin", "build"}, atTheTop...) {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestReadme runs the commands of the README in its order, in a folder that looks
// like the project's. All JSON that they make can be read by a strict reader.
func TestReadme(t *testing.T) {
	t.Parallel()
	dir := likeRoot(t)
	commands, _, targets := readme(t)
	for _, command := range commands {
		cmd := exec.Command("bash", "-o", "pipefail", "-c", command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	// What the README begins with works any number of times.
	again := exec.Command("bash", "-o", "pipefail", "-c", commands[0])
	again.Dir = dir
	if out, err := again.CombinedOutput(); err != nil || !strings.HasPrefix(commands[0], "jobs/extract.sh ") {
		t.Errorf("%s, once more: %v\n%s", commands[0], err, out)
	}
	if len(commands) < 8 {
		t.Errorf("only %d commands found", len(commands))
	}
	seen := wantStrictJSON(t, dir)
	for _, kind := range []string{".json", ".cdxj", ".wat", ".meta", ""} {
		if seen[kind] == 0 {
			t.Errorf("no JSON in files that end in %q: %v", kind, seen)
		}
	}
	for _, target := range targets {
		args := append([]string{"-n", "-C", root, "DATA=" + dir}, strings.Fields(target)...)
		if out, err := exec.Command("make", args...).CombinedOutput(); err != nil {
			t.Errorf("make %s: %v\n%s", target, err, out)
		}
	}
	for _, file := range []string{"picked/index.cdxj", "small/manifest.tsv", "converted/EXTRACT-*-000000-0.warc.gz", "odd/_rejects.tsv", "piped/index.cdxj", "hosts/part-00000"} {
		made, err := filepath.Glob(filepath.Join(dir, file))
		if err != nil || len(made) != 1 {
			t.Errorf("%s was not made: %v, %v", file, made, err)
			continue
		}
		if info, err := os.Stat(made[0]); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty: %v", made[0], err)
		}
	}
}

// TestReadmeReplay has pywb replay with the lines that the README has for config.yaml.
func TestReadmeReplay(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	content, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	config := regexp.MustCompile(`(?m)^    collections:\n(    .*\n)+`).FindString(string(content))
	index := runJob(t, "index.sh", "--input", filepath.Join(root, "testdata", "archives"), "--zipnum")
	places := strings.NewReplacer("/data/index/", index+"/", "/data/warcs/", filepath.Join(root, "testdata", "archives")+"/", "\n    ", "\n")
	config = "framed_replay: false" + places.Replace("\n"+config)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	address := startPywb(t, python, dir)
	for _, name := range []string{"crawl", "blocks"} {
		if answer, page := get(t, address, name, "2020id_", "http://garden.example/calendar"); answer.StatusCode != 200 || !strings.Contains(page, "<html") {
			t.Errorf("%s: status %d: %.200s", name, answer.StatusCode, page)
		}
	}
}

// TestHadoopReadme runs the README's commands for a cluster, with the files in
// place that they name.
func TestHadoopReadme(t *testing.T) {
	t.Parallel()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	dir := likeRoot(t)
	_, commands, _ := readme(t)
	if len(commands) != 5 {
		t.Errorf("%d commands for a cluster: %q", len(commands), commands)
	}
	onCluster := func(command string) {
		command = "scripts/hadoop.sh run " + strings.TrimPrefix(command, "scripts/hadoop.sh run ")
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	clear := "hadoop fs -rm -r -f -skipTrash /lists /archives /extracted /testdata /picked /index"
	onCluster(clear)
	onCluster("bash -c 'hadoop fs -mkdir -p /lists && hadoop fs -put testdata/captures.cdxj /lists && hadoop fs -put testdata/archives /'")
	for _, command := range commands {
		onCluster(command)
	}
	onCluster("hadoop fs -test -e /extracted/_SUCCESS")
	onCluster("hadoop fs -test -e /picked/index.cdxj")
	onCluster(`bash -c 'echo http://garden.example/calendar | bin/lookup-cdx --index hdfs:///index/zipnum | grep -q calendar'`)
	// The same job on this machine makes the same files. Rejects name the archive
	// files by where they are.
	onCluster("hadoop fs -get /index from-cluster")
	local := exec.Command("bash", "-c", "jobs/index.sh --quiet --input testdata/archives --output here --zipnum --parquet && diff -r -x _job.json -x _rejects.tsv from-cluster here && diff <(sed 's,hdfs.*/,,' from-cluster/_rejects.tsv) <(sed 's,/.*/,,' here/_rejects.tsv)")
	local.Dir = dir
	if out, err := local.CombinedOutput(); err != nil {
		t.Errorf("on the cluster and here: %v\n%s", err, out)
	}
	onCluster(clear)
}
