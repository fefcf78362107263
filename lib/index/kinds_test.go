package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/stage"
	"archivestream/lib/stage/stagetest"
)

// TestNoArchives indexes files that are no archives: each is one reject. Indexes beside
// archives were read as ARC, and made captures of their lines.
func TestNoArchives(t *testing.T) {
	dir := t.TempDir()
	rejects := filepath.Join(dir, "rejects.tsv")
	for text, want := range map[string]string{
		" CDX N b a m s k r M S V g\ncom,a)/ 20200101000000 http://a.com/ text/html 200 A - - 9 0 a.warc.gz\n": "expected ARC or WARC, found CDX",
		`com,a)/ 20200101000000 {"url": "http://a.com/", "offset": "0"}` + "\n":                                "expected ARC or WARC, found CDXJ",
		"<html>not found</html>": "expected ARC or WARC, found HTML",
	} {
		name := filepath.Join(dir, "x.warc.gz")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, errs := stagetest.Run(t, []string{name + "\n"}, func(task *stage.Task) error { return Archives(task, MapperOptions{Layout: "cdxj"}) }, "--rejects", rejects)
		got, err := os.ReadFile(rejects)
		if err != nil || len(out) != 0 || strings.Count(string(got), "\n") != 1 || !strings.Contains(string(got), "\t"+want+"\t"+name) {
			t.Errorf("%.20q: lines %q, rejects %q, %v: %s", text, out, got, err, errs)
		}
	}
}
