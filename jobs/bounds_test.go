package jobs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// repeated is gzip of so many times a text, in members of many of them.
func repeated(t *testing.T, text string, perMember, members int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(bytes.Repeat([]byte(text), perMember)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(b.Bytes(), members)
}

// summarize runs jobs/summary.sh on a few captures and a hostile file after them. It
// returns what _job.json says, the folder of the output, and the peak of memory of all
// programs, in bytes.
func summarize(t *testing.T, hostile []byte) (description struct {
	Rejects int64
	Reasons []struct {
		Reason string
		Count  int64
	}
}, output string, peak int64) {
	t.Helper()
	dir := t.TempDir()
	index := filepath.Join(dir, "index.cdxj.gz")
	captures, err := os.ReadFile(filepath.Join(root, "testdata", "captures.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	file := append(repeated(t, string(captures), 1, 1), hostile...)
	file = append(file, repeated(t, "\n"+string(captures), 1, 1)...)
	if err := os.WriteFile(index, file, 0o666); err != nil {
		t.Fatal(err)
	}
	output = filepath.Join(dir, "out")
	c := exec.Command(filepath.Join(root, "jobs", "summary.sh"), "--quiet", "--input", index, "--output", output)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(output, "_job.json"))
	if err == nil {
		err = json.Unmarshal(text, &description)
	}
	if err != nil {
		t.Fatal(err)
	}
	summary, err := os.ReadFile(filepath.Join(output, "summary.json"))
	if err != nil || !strings.Contains(string(summary), `"captures": 486,`) {
		t.Errorf("%v: not all captures: %.200s", err, summary)
	}
	return description, output, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// TestLineOfAGigabyte has one in a file of a megabyte: it is rejected, what follows it
// is used, and memory does not grow with it.
func TestLineOfAGigabyte(t *testing.T) {
	d, output, peak := summarize(t, repeated(t, "x", 1<<20, 1<<10))
	if d.Rejects != 1 {
		t.Errorf("%d rejects, want 1", d.Rejects)
	}
	rejects, err := os.ReadFile(filepath.Join(output, "_rejects.tsv"))
	if want := "index.cdxj.gz: line 244, from byte "; err != nil || !strings.Contains(string(rejects), want) || !strings.Contains(string(rejects), ": 1073741824 bytes are longer") {
		t.Errorf("%v: no %q in %.300s", err, want, rejects)
	}
	if peak > 800<<20 {
		t.Errorf("a program took %d MiB", peak>>20)
	}
	t.Logf("peak of memory: %d MiB", peak>>20)
}

// TestMillionsOfBadLines has so many in some kilobytes: most of them are counted only.
func TestMillionsOfBadLines(t *testing.T) {
	const lines = 1 << 20
	d, output, _ := summarize(t, repeated(t, "x\n", 1<<17, lines>>17))
	if d.Rejects != lines || len(d.Reasons) != 1 || d.Reasons[0].Count != lines {
		t.Errorf("%+v, want %d of one reason", d, lines)
	}
	rejects, err := os.ReadFile(filepath.Join(output, "_rejects.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(rejects), "\n"); n != 10_001 {
		t.Errorf("%d lines of rejects, want 10001", n)
	}
}
