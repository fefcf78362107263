package jobfiles

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShip holds that a program is copied once for a version, and never half.
func TestShip(t *testing.T) {
	dir := t.TempDir()
	program, folder := filepath.Join(dir, "program"), filepath.Join(dir, "cluster", "staging")
	put := func(content string) {
		if err := os.WriteFile(program, []byte(content), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	shipped := func() string {
		var out bytes.Buffer
		if err := ship([]string{program, folder}, nil, &out); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(out.String(), "\n")
	}
	put("first")
	first := shipped()
	if content, err := os.ReadFile(first); err != nil || string(content) != "first" {
		t.Fatalf("%s: %q, %v", first, content, err)
	}
	before, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	if again := shipped(); again != first {
		t.Errorf("the same program was shipped as %s and %s", first, again)
	}
	if after, err := os.Stat(first); err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("%s was written again (%v)", first, err)
	}
	put("second")
	if second := shipped(); second == first {
		t.Error("two versions have one name")
	}
	if err := os.Truncate(first, 2); err != nil {
		t.Fatal(err)
	}
	put("first")
	if err := ship([]string{program, folder}, nil, &bytes.Buffer{}); err == nil {
		t.Error("a part of a program passes for it")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("%d files in the folder, %v", len(entries), err)
	}
}
