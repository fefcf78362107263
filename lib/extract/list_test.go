package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// TestListedURLsAreThoseOfTheRecords lists records whose URLs cannot stand in a
// line as they are, or have a backslash, and extracts them where the URLs agree.
func TestListedURLsAreThoseOfTheRecords(t *testing.T) {
	dir := t.TempDir()
	archive := "http://a.example/\r1 192.0.2.1 20200102030405 text/html 2\nok\n" +
		"http://a.example/\t2 192.0.2.1 20200102030405 text/html 2\nok\n" +
		`http://a.example/\\3\n 192.0.2.1 20200102030405 text/html 2` + "\nok\n"
	if err := os.WriteFile(filepath.Join(dir, "odd.arc"), []byte(archive), 0o666); err != nil {
		t.Fatal(err)
	}
	_, list, _ := run(t, filepath.Join(dir, "odd.arc")+"\n", func(task *stage.Task) error { return ListRecords(task, true) })
	for _, url := range []string{"http://a.example/%0D1\t", "http://a.example/%092\t", `http://a.example/\\3\n` + "\t"} {
		if !strings.Contains(list, url+"odd.arc\t") {
			t.Errorf("%q is not in the list\n%s", url, list)
		}
	}
	name := filepath.Join(dir, "list.tsv")
	if err := os.WriteFile(name, []byte(list), 0o666); err != nil {
		t.Fatal(err)
	}
	o := defaults()
	o.Verify = "url"
	_, tables, errs := extractPlan(t, plan(t, name), dir, "", o)
	if n := strings.Count(tables, "\n"); n != 3 {
		t.Errorf("%d of 3 records extracted: %s", n, errs)
	}
}
