package truth

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTruthRecipes holds the table of each recipe against that of its options, given one
// by one, and against what others' libraries make of the same records.
func TestTruthRecipes(t *testing.T) {
	folder := theArchives(t)
	lines := said(t, read(t, indexed(t)), bin("filter-captures"), "--form", "cdxj", "--where", `length in 1..200000 && not (filename contains "pages.warc" || filename contains "--iipc-" || filename contains "--cc-")`)
	input := []string{"--cdx", written(t, "some.cdxj", lines), "--archives", folder}
	recipes, err := os.ReadDir(filepath.Join(root, "jobs", "recipes"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{folder}
	for _, recipe := range recipes {
		output := run(t, "select.sh", slices.Concat(input, []string{"--recipe", recipe.Name(), "--raw-csv"})...)
		var options []string
		for line := range strings.Lines(read(t, root, "jobs", "recipes", recipe.Name())) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
				name, value, _ := strings.Cut(line, " ")
				options = append(options, "--"+name, value)
			}
		}
		byOptions := run(t, "select.sh", slices.Concat(input, options, []string{"--raw-csv"})...)
		compare(t, "select/--recipe", "- "+recipe.Name(), piecesOf(t, output), piecesOf(t, byOptions))
		args = append(args, recipe.Name()+"="+output)
	}
	comparisons(t, asked(t, lines, "recipes.py", args...))
}

// piecesOf is the content of the parts of a table.
func piecesOf(t *testing.T, output string) string {
	t.Helper()
	parts, err := filepath.Glob(filepath.Join(output, "part-*"))
	if err != nil || len(parts) == 0 {
		t.Fatalf("%s: no parts, %v", output, err)
	}
	var all strings.Builder
	for _, part := range parts {
		all.Write(content([]byte(read(t, part))))
	}
	return all.String()
}
