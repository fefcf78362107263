package warc

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestOddFiles reads the damaged and unusual files of testdata/odd: as many
// records as can be read, as many losses as there are.
func TestOddFiles(t *testing.T) {
	const dir = "../../testdata/"
	table, err := os.ReadFile(dir + "odd.tsv")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != 4 {
			t.Fatalf("odd.tsv: %q", line)
		}
		data, err := os.ReadFile(dir + "odd/" + row[0])
		if err != nil {
			t.Fatal(err)
		}
		files++
		sound, cut, defects := readAll(t, data)
		if strconv.Itoa(sound) != row[1] || cut > len(defects) {
			t.Errorf("%s (%s): %d records, want %s: %v", row[0], row[3], sound, row[1], defects)
		}
		if row[2] != "0" && len(defects) == 0 {
			t.Errorf("%s (%s): a record is lost, and nothing is said of it", row[0], row[3])
		}
	}
	if files < 40 {
		t.Errorf("only %d files", files)
	}
}
