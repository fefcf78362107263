package jobs

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExtractRefuses has the cases in which a job must not touch an output.
func TestExtractRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.holdMapper()
	list := b.path("corpus/pick.cdxj")
	want := b.run("there", "--input", list)
	refused := func(output string, status int, message string, args ...string) {
		t.Helper()
		j := b.start(output, append([]string{"--input", list}, args...)...)
		b.end(j, status)
		if !strings.Contains(j.said.String(), message) {
			t.Errorf("said %q, not %q", j.said.String(), message)
		}
	}
	refused("there", 2, "exists")
	b.same("output", want, b.tree("there"))
	b.end(b.start("there", "--input", list, "--resume"), 0)
	b.same("output resumed", want, b.tree("there"))
	b.write("foreign/file", "text")
	refused("foreign", 2, "was not made by a job", "--force")
	b.same("foreign folder", map[string]string{"file": "text"}, b.tree("foreign"))

	j, _ := b.startHeld("busy", "--input", list)
	refused("busy", 2, "exists")
	refused("busy", 75, "another job is at work", "--force")
	refused("busy", 75, "another job is at work", "--resume")
	b.release()
	b.end(j, 0)
	b.same("output of the first", want, b.tree("busy"))
	b.wantQuiet()
}

// TestExtractOnFullDisk gives the output a file system that is too small, and
// then one that is large enough.
func TestExtractOnFullDisk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(os.Mkdir(b.path("small"), 0o777))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", b.path("small")).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted, which needs root: %s", bytes.TrimSpace(out))
	}
	t.Cleanup(func() { exec.Command("umount", "-l", b.path("small")).Run() })
	list := b.path("corpus/pick.cdxj")
	want := b.run("undisturbed", "--input", list)
	j := b.start("small/output", "--input", list)
	b.end(j, 1)
	if !strings.Contains(j.said.String(), "no space left on device") {
		t.Errorf("said %s", j.said.String())
	}
	b.wantQuiet()
	if out, err := exec.Command("mount", "-o", "remount,size=20m", b.path("small")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if diff := cmp.Diff(want, b.run("small/output", "--input", list, "--resume")); diff != "" {
		t.Error(diff)
	}
}
