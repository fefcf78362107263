package truth

import (
	"strings"
	"testing"
)

// TestTruthDerive holds each field of WAT, and headers, texts and fields of WET and META,
// of all records of all archives against Python's reading of the records and against
// Lexbor's of the pages.
func TestTruthDerive(t *testing.T) {
	folder := theArchives(t)
	output := run(t, "derive.sh", "--input", folder, "--make", "wat,wet,meta,cdxj")
	lines := asked(t, "", "derived.py", folder, output)
	if len(lines) < 1000 && !strings.Contains(strings.Join(lines, ""), "derive/wet text") {
		t.Fatalf("%d comparisons", len(lines))
	}
	comparisons(t, lines)
}
