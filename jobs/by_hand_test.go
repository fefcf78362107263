package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"archivestream/lib/stage"
)

// driven are the reducers that job scripts run themselves, behind a sort or without one.
var driven = []string{"number-blocks", "report-cover", "sum-sizes", "write-mementomap"}

// more are jobs that the README does not have, so that each pair of stages runs.
var more = []string{
	"jobs/redundancy.sh --documents documents.json --output counted-pairs --join count --preset A-1 --quiet",
	"jobs/redundancy.sh --documents documents.json --output minima --preset A-1 --keep-per hostname=1 --quiet",
	"jobs/redundancy.sh --documents places.json --output kept --preset A-1 --save warc --archives testdata/archives --quiet",
	"jobs/components.sh --edges edges.tsv --output rounds --one-task 0 --reducers 1 --quiet",
	"jobs/mementomap.sh --input testdata/captures.cdxj --output ranged --reducers 2 --curve measured --target-lines 12 --quiet",
	"jobs/extract.sh --input testdata/captures.cdxj --archives testdata/archives --output distinct --unique --quiet",
	"jobs/index.sh --input testdata/archives --output sorted --zipnum --shards 2 --quiet",
	"jobs/select.sh --cdx testdata/captures.cdxj --archives testdata/archives --where 'status == 200' --pick latest --save cdxj --small 0 --output picked-lines --quiet",
	"jobs/select.sh --cdx testdata/captures.cdxj --archives testdata/archives --keep 'payload.string.length > 500' --save warc --small 0 --output kept-records --quiet",
}

// A byHand is a stage that a job has run, and what became of it without its key.
type byHand struct{ mapper, reducer, line, without, said string }

// properties returns what the line has to say of keys: the ones that pairs declare.
func (b byHand) properties() []string {
	var all []string
	lines := strings.Split(b.line, "\n")
	for i, word := range lines {
		if i > 0 && lines[i-1] == "-D" && (strings.HasPrefix(word, "stream.num.map.output.key.fields=") || strings.HasPrefix(word, "stream.map.output=") ||
			strings.HasPrefix(word, "stream.reduce.input=") || strings.Contains(word, "comparator")) {
			all = append(all, word)
		}
	}
	slices.Sort(all)
	return all
}

// ofKey leaves the properties of a pair that are of its keys.
func ofKey(p stage.Pair) []string {
	line := "-D\n" + strings.Join(p.Properties(), "\n-D\n")
	return byHand{line: line}.properties()
}

// TestStagesByHand runs the README's jobs, and each of their stages again without what
// their keys need: they fail with a message that has it, or what they make is the same.
// What the jobs give for keys is what the help of their stages has. Of stages with the
// same programs and keys one is run again, and all with ARCHIVESTREAM_SLOW=1.
func TestStagesByHand(t *testing.T) {
	t.Parallel()
	dir, records := likeRoot(t), t.TempDir()
	replaceStreaming(t, dir, filepath.Join(root, "jobs", "testdata", "run_by_hand.sh"))
	writePlaces(t, dir)
	environment := append(os.Environ(), "BY_HAND="+records, "BY_HAND_ENGINE="+filepath.Join(root, "bin", "run-streaming"))
	if os.Getenv("ARCHIVESTREAM_SLOW") == "" {
		environment = append(environment, "BY_HAND_ONCE="+t.TempDir())
	}
	commands, _, _ := readme(t)
	for _, command := range slices.Concat(commands, more) {
		cmd := exec.Command("bash", "-o", "pipefail", "-c", command)
		cmd.Dir = dir
		cmd.Env = environment
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	seen := map[string]int{}
	for _, b := range readByHand(t, records) {
		seen[b.reducer]++
		seen[b.without]++
		if _, err := os.Stat(filepath.Join(root, "reducers", b.reducer)); err != nil {
			continue // another program
		}
		if b.without == "differs" || b.without == "failed" && !strings.Contains(b.said, b.reducer+": error: ") {
			t.Errorf("%s | %s without its key: %s\n%s\n%s", b.mapper, b.reducer, b.without, b.line, b.said)
		}
		if b.without == "failed" {
			t.Logf("%s | %s: %s", b.mapper, b.reducer, strings.TrimSpace(b.said))
		}
		if !slices.ContainsFunc(stage.PairsOf(b.reducer), func(p stage.Pair) bool { return slices.Equal(ofKey(p), b.properties()) }) {
			t.Errorf("%s | %s has %q, which no pair of the reducer has", b.mapper, b.reducer, b.properties())
		}
		if b.mapper != "cat" && !slices.ContainsFunc(stage.PairsOf(b.reducer), func(p stage.Pair) bool { return firstWord(p.Mapper) == b.mapper }) {
			t.Errorf("%s | %s is no pair", b.mapper, b.reducer)
		}
	}
	t.Logf("%d stages refused their lines, %d failed otherwise, %d made the same", seen["refused"], seen["failed"], seen["same"])
	if seen["refused"] < 10 {
		t.Errorf("only %d stages refused their lines", seen["refused"])
	}
	var missing []string
	reducers, err := os.ReadDir(filepath.Join(root, "reducers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reducers {
		if seen[r.Name()] == 0 && !slices.Contains(driven, r.Name()) {
			missing = append(missing, r.Name())
		}
	}
	if diff := cmp.Diff([]string(nil), missing); diff != "" {
		t.Errorf("reducers that no job has run:\n%s", diff)
	}
}

// replaceStreaming puts another program into the place of run-streaming, in a folder that
// is like the project's.
func replaceStreaming(t *testing.T, dir, by string) {
	t.Helper()
	bin := filepath.Join(dir, "bin")
	if err := os.Remove(bin); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	programs, err := os.ReadDir(filepath.Join(root, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		to := filepath.Join(root, "bin", p.Name())
		if p.Name() == "run-streaming" {
			to = by
		}
		if err := os.Symlink(to, filepath.Join(bin, p.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// writePlaces writes the documents with places that one of the jobs reads.
func writePlaces(t *testing.T, dir string) {
	t.Helper()
	script, err := txtar.ParseFile(filepath.Join(root, "testdata", "script", "redundancy-cover.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range script.Files {
		if f.Name == "places.json" {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func firstWord(command string) string {
	word, _, _ := strings.Cut(command, " ")
	return word
}

// readByHand reads what run_by_hand.sh has recorded.
func readByHand(t *testing.T, dir string) []byHand {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []byHand
	for _, e := range entries {
		read := func(name string) string {
			content, err := os.ReadFile(filepath.Join(dir, e.Name(), name))
			if err != nil {
				t.Fatal(err)
			}
			return string(content)
		}
		b := byHand{line: read("line"), without: strings.TrimSpace(read("without")), said: read("said")}
		lines := strings.Split(b.line, "\n")
		for i := range len(lines) - 1 {
			switch lines[i] {
			case "-mapper":
				b.mapper = firstWord(lines[i+1])
			case "-reducer":
				b.reducer = firstWord(lines[i+1])
			}
		}
		all = append(all, b)
	}
	return all
}

// TestEveryStageHasAPair holds the table of pairs to the stages that there are.
func TestEveryStageHasAPair(t *testing.T) {
	for kind, alone := range map[string][]string{
		"reducers": driven,
		"mappers":  {"canonicalize-urls", "estimate-join", "list-records", "lookup-cdx", "lookup-mementomap", "plan-join"},
	} {
		entries, err := os.ReadDir(filepath.Join(root, kind))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if has := len(stage.PairsOf(e.Name())) > 0; has == slices.Contains(alone, e.Name()) {
				t.Errorf("%s/%s: is in a pair: %v", kind, e.Name(), has)
			}
		}
	}
	for _, p := range stage.Pairs {
		for _, command := range []string{p.Mapper, p.Combiner, p.Reducer} {
			name := firstWord(command)
			if name == "" || name == "cut" {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, "bin", name)); err != nil {
				t.Error(err)
			}
		}
	}
}
