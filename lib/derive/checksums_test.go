package derive

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// TestChecksums lists files with the checksums that sha256sum gives for them, copies
// those that it is told to, and fails for one that is not there.
func TestChecksums(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty file": "", "abc": "abc"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const (
		ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
		ofABC     = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	)
	command := stage.Command{Name: "list-checksums", Run: Checksums}
	run := func(lines string) (status int, out, errs bytes.Buffer) {
		input := strings.NewReader(strings.ReplaceAll(lines, "DIR", dir))
		status = stage.Execute(command, []string{command.Name, "--output", filepath.Join(dir, "made")}, input, &out, &errs)
		return status, out, errs
	}
	status, out, errs := run("DIR/empty file\na/empty\tcopy\nDIR/abc\tb/c d\tcopy\nDIR/abc\tcopy\n")
	if status == 0 || !strings.Contains(errs.String(), "a/empty") {
		t.Errorf("of a missing file: status %d, %s", status, errs.String())
	}
	status, out, errs = run("DIR/empty file\tempty\tcopy\nDIR/abc\tb/c d\tcopy\nDIR/abc\tname\n\nDIR/abc\n")
	want := "empty\t" + ofNothing + "\t0\nb/c d\t" + ofABC + "\t3\nname\t" + ofABC + "\t3\n" + dir + "/abc\t" + ofABC + "\t3\n"
	if status != 0 || out.String() != want {
		t.Errorf("status %d, %s\n got %q\nwant %q", status, errs.String(), out.String(), want)
	}
	for name, content := range map[string]string{"empty": "", "b/c d": "abc"} {
		if got, err := os.ReadFile(filepath.Join(dir, "made", name)); err != nil || string(got) != content {
			t.Errorf("copy %s: %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "made", "name")); err == nil {
		t.Error("a file was copied that was not to be")
	}
}
