package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// countedJobs are jobs that know how many stages they have, with options that change it.
var countedJobs = map[string][]string{
	"extract":           {"extract.sh", "--input", "TESTDATA/captures.cdxj", "--archives", "TESTDATA/archives"},
	"extract once":      {"extract.sh", "--input", "TESTDATA/captures.cdxj", "--archives", "TESTDATA/archives", "--unique"},
	"extract equally":   {"extract.sh", "--input", "TESTDATA/captures.cdxj", "--archives", "TESTDATA/archives", "--maps", "3"},
	"index":             {"index.sh", "--input", "TESTDATA/archives"},
	"index in shards":   {"index.sh", "--input", "TESTDATA/archives", "--shards", "2", "--zipnum"},
	"merge":             {"merge.sh", "--input", "TESTDATA/captures.cdxj"},
	"derive":            {"derive.sh", "--input", "TESTDATA/archives/garden.warc.gz"},
	"dataset":           {"dataset.sh", "--crawl", "one", "--partition", "all=TESTDATA/archives/garden.warc.gz"},
	"summary":           {"summary.sh", "--input", "TESTDATA/captures.cdxj"},
	"profile":           {"profile.sh", "--input", "TESTDATA/captures.cdxj"},
	"mementomap":        {"mementomap.sh", "--input", "TESTDATA/captures.cdxj"},
	"mementomap wished": {"mementomap.sh", "--input", "TESTDATA/captures.cdxj", "--reducers", "2", "--target-lines", "10", "--curve", "measured"},
	"webgraph":          {"webgraph.sh", "--input", "LINKS", "--no-ranks"},
}

var stageShown = regexp.MustCompile(`stage (\d+)( of (\d+))?: `)

// TestStagesAreCounted holds what a job shows on a terminal: stages are numbered, of a
// number that does not change and is that of the last.
func TestStagesAreCounted(t *testing.T) {
	t.Parallel()
	for name, words := range countedJobs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			links := filepath.Join(dir, "links")
			if err := os.WriteFile(links, []byte("org.example.a\torg.example.b\tlink\t1\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			command := filepath.Join(root, "jobs", words[0])
			for _, word := range words[1:] {
				if word == "LINKS" {
					word = links
				}
				command += " " + regexp.MustCompile("(^|=)TESTDATA").ReplaceAllString(word, "${1}"+filepath.Join(root, "testdata"))
			}
			out, err := exec.Command("script", "-qec", command+" --output "+filepath.Join(dir, "out"), "/dev/null").CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			last, of := 0, ""
			for _, m := range stageShown.FindAllStringSubmatch(string(out), -1) {
				n, err := strconv.Atoi(m[1])
				if err != nil || n != last && n != last+1 || of != "" && of != m[3] {
					t.Errorf("%s comes after stage %d of %s", m[0], last, of)
				}
				last, of = n, m[3]
			}
			if last == 0 || strconv.Itoa(last) != of {
				t.Errorf("the last stage is %d of %q\n%s", last, of, out)
			}
		})
	}
}
