package storage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNegatedClasses has both forms of a class that leaves characters out: that of shells
// and of Hadoop, and that of Go.
func TestNegatedClasses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a1", "b1", "!1", "^1", "c!"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"[!ab]*":   "!1 ^1 c!",
		"[^ab]*":   "!1 ^1 c!",
		"[a!]*":    "!1 a1",
		`[\!a]*`:   "!1 a1",
		`c[!ab]`:   "c!",
		`\[!ab]*`:  "",
		"[[!]1":    "!1",
		"[!!][!!]": "^1 a1 b1",
	} {
		files, _ := Expand(dir + "/" + pattern)
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
