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
	"make test": "by whoever runs this test",
}

// readme gives the commands of the README's sh blocks, and its make targets.
func readme(t *testing.T) (commands, targets []string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(content), -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	for _, m := range regexp.MustCompile("`make ?([a-z-]*)").FindAllStringSubmatch(string(content), -1) {
		targets = append(targets, m[1])
	}
	return commands, targets
}

// TestReadme runs the commands of the README in its order, in a folder that looks
// like the project's.
func TestReadme(t *testing.T) {
	dir := t.TempDir()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	commands, targets := readme(t)
	ran := 0
	for _, command := range commands {
		if _, ok := elsewhere[command]; ok {
			continue
		}
		cmd := exec.Command("bash", "-o", "pipefail", "-c", command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		ran++
	}
	if ran < 5 {
		t.Errorf("only %d commands found", ran)
	}
	for _, target := range targets {
		args := append([]string{"-n", "-C", root, "DATA=" + dir}, strings.Fields(target)...)
		if out, err := exec.Command("make", args...).CombinedOutput(); err != nil {
			t.Errorf("make %s: %v\n%s", target, err, out)
		}
	}
	for _, file := range []string{"picked/index.cdxj", "small/manifest.tsv", "converted/EXTRACT-000000-0.warc.gz", "odd/_rejects.tsv", "piped/index.cdxj", "hosts/part-00000"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not made: %v", file, err)
		}
	}
}
