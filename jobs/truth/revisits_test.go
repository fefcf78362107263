package truth

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTruthRevisits holds the payloads that revisits get of their originals against those
// that their headers ask for, in a pipe and on the engine.
func TestTruthRevisits(t *testing.T) {
	folder := theArchives(t)
	var places strings.Builder
	for _, c := range captures(t, read(t, indexed(t))) {
		if c["length"] != "" {
			fmt.Fprintf(&places, "%s\t%s\t%s\n", filepath.Join(folder, c["filename"]), c["offset"], c["length"])
		}
	}
	theirs := map[string][]string{}
	for _, line := range asked(t, places.String(), "revisits.py") {
		f := strings.Split(line, "\t")
		theirs[filepath.Base(f[0])+" "+f[1]] = strings.Split(f[2], ",")
	}
	for _, small := range []string{"64MB", "0"} {
		output := run(t, "select.sh", "--cdx", indexed(t), "--archives", folder, "--where", `mime == "warc/revisit"`, "--small", small,
			"--columns", "filename, offset, sha1 = payload.sha1", "--save", "csv")
		resolved := 0
		for _, r := range rows(t, "csv", output, ".csv.gz") {
			can, known := theirs[r.place()]
			if !known {
				t.Errorf("%s is no revisit", r.place())
				continue
			}
			want := can[0]
			if slices.Contains(can, r.text("sha1")) {
				want = r.text("sha1")
			}
			compare(t, "select/--revisits", r.place(), r.text("sha1"), want)
			if r.text("sha1") != "" {
				resolved++
			}
		}
		if resolved == 0 {
			t.Error("no revisit is resolved")
		}
	}
}
