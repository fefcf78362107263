package truth

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// A cover is a run of redundancy.sh, as redundancy.py is told of it.
type cover struct {
	Name      string         `json:"name"`
	Output    string         `json:"output"`
	Documents []string       `json:"documents"`
	Cover     string         `json:"cover"`
	Size      int            `json:"size"`
	Bits      int            `json:"bits"`
	Weight    string         `json:"weight"`
	Minima    map[string]int `json:"minima"`
	Earlier   bool           `json:"earlier"`
	Reducers  int            `json:"reducers"`
	Limit     int            `json:"limit"`
	Saved     string         `json:"saved"` // archives of the captures that are saved
	Each      bool           `json:"each"`  // each attribute and set by itself
}

const older = "containment(a, b) >= 0.7 && a.timestamp <= b.timestamp"

// covers are the scenarios and options of the manual. What is made of all documents is
// made of the largest ones too; others are of the smaller ones.
var covers = []struct {
	cover
	args string // separated by bars
}{
	{cover{Name: "A-1 of all", Cover: older}, "--preset|A-1"},
	{cover{Name: "B-2", Cover: older + " && a.hostname == b.hostname", Reducers: 3, Each: true}, "--preset|B-2|--reducers|3|--block-size|1MB"},
	{cover{Name: "weights", Cover: older, Weight: "bytes", Limit: 1}, "--preset|C-1|--weight|bytes|--exact-limit|1"},
	{cover{Name: "minima", Cover: older, Weight: "1 + 1 / bytes", Minima: map[string]int{"hostname": 1, "mime": 2}},
		"--preset|B-1|--weight|1 + 1 / bytes|--keep-per|hostname=1,mime=2"},
	{cover{Name: "jaccard", Cover: "jaccard(a, b) >= 0.8", Size: 3, Bits: 128, Each: true}, "--shingle-size|3|--hash-bits|128"},
	{cover{Name: "dice", Cover: "dice(a, b) >= 2/3 && a.id != b.id && a.url != b.url && a.mime == b.mime"}, "--maps|3"},
	{cover{Name: "sums", Weight: "length", Cover: "containment(b, a) >= 0.85 && jaccard(a, b) >= 0.5 && a.length - b.length < b.length / 10 && (b.timestamp - a.timestamp) / 86400000 <= 30 && b.title != a.mime"},
		"--weight|length"},
}

// documents makes the documents of all archives: a file of all, one of those whose line
// is short, and two with the halves of these.
func documents(t *testing.T) []string {
	t.Helper()
	output := run(t, "select.sh", "--cdx", indexed(t), "--archives", theArchives(t), "--save", "documents")
	files, err := filepath.Glob(filepath.Join(output, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	var texts [4]bytes.Buffer
	for _, name := range files {
		unpacked, err := gzip.NewReader(strings.NewReader(read(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(content) {
			texts[0].Write(line)
			if len(line) < 20000 {
				texts[1].Write(line)
				texts[2+n%2].Write(line)
				n++
			}
		}
	}
	paths := make([]string, len(texts))
	for i := range texts {
		paths[i] = filepath.Join(t.TempDir(), fmt.Sprintf("documents-%d.json", i))
		if err := os.WriteFile(paths[i], texts[i].Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// held counts what a program of testdata has held against its own answers: lines of
// JSON, [value, place] where both are equal, or [value, place, ours, theirs].
func held(t *testing.T, script string, input any) {
	t.Helper()
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range asked(t, string(text), script) {
		var f []string
		if err := json.Unmarshal([]byte(line), &f); err != nil || len(f) != 2 && len(f) != 4 {
			t.Fatalf("%s: no answer: %.300s", script, line)
		}
		f = append(f, "", "")
		compare(t, f[0], f[1], f[2], f[3])
	}
}

// TestTruthRedundancy holds what redundancy.sh makes of the documents of all archives
// against shingles that are not hashed, a comparison of all pairs, and the covers of an
// integer program.
func TestTruthRedundancy(t *testing.T) {
	made := documents(t)
	var runs []cover
	for _, c := range covers {
		c.Documents = made[1:2]
		if strings.HasSuffix(c.Name, " of all") {
			c.Documents = made[:1]
		}
		runs = append(runs, covered(t, c.cover, strings.Split(c.args, "|")...))
	}
	earlier := cover{Name: "a half", Cover: older, Documents: made[2:3], Saved: theArchives(t)}
	earlier = covered(t, earlier, "--preset", "A-1", "--save", "warc", "--archives", earlier.Saved)
	both := cover{Name: "both halves", Cover: older, Documents: made[2:], Earlier: true, Each: true}
	runs = append(runs, earlier, covered(t, both, "--resume-from", earlier.Output))
	held(t, "redundancy.py", runs)
}

// covered runs the job.
func covered(t *testing.T, c cover, args ...string) cover {
	t.Helper()
	c.Size, c.Bits, c.Reducers, c.Limit = cmp.Or(c.Size, 5), cmp.Or(c.Bits, 64), cmp.Or(c.Reducers, 1), cmp.Or(c.Limit, 400)
	if c.Minima == nil {
		c.Minima = map[string]int{}
	}
	if args[0] != "--preset" {
		args = append(args, "--cover", c.Cover)
	}
	documents := c.Documents
	if c.Earlier {
		documents = documents[1:]
	}
	for _, path := range documents {
		args = append(args, "--documents", path)
	}
	c.Output = run(t, "redundancy.sh", args...)
	return c
}
