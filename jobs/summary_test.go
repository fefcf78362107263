package jobs

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/report/reporttest"
)

// captureLines makes CDX lines of so many hosts, sorted.
func captureLines(seed uint64, hosts int) []string {
	r := rand.New(rand.NewPCG(seed, 0))
	var lines []string
	for h := range hosts {
		domain := []string{"com", "org", "pt", "de"}[min(r.IntN(12), 3)]
		key := fmt.Sprintf("%s,site%d", domain, h)
		if h%5 == 0 {
			key = fmt.Sprintf("%s,site%d,blog", domain, h-h%10)
		}
		for range 1 + r.IntN(1+400/(h+1)) {
			path := fmt.Sprintf("/%c/page-%d", 'a'+rune(r.IntN(6)), r.IntN(40))
			if r.IntN(4) == 0 {
				path += fmt.Sprintf("?id=%d", r.IntN(3))
			}
			timestamp := fmt.Sprintf("%d%02d%02d120000", 2001+r.IntN(12), 1+r.IntN(12), 1+r.IntN(28))
			mime := []string{"text/html", "text/html", "image/jpeg", "text/css", "application/pdf", "application/javascript"}[r.IntN(6)]
			status := []string{"200", "200", "200", "301", "404", "503"}[r.IntN(6)]
			lines = append(lines, fmt.Sprintf("%s)%s %s http://site%d.%s%s %s %s SHA - - %d %d a-%d.warc.gz\n", key, path, timestamp, h, domain, path, mime, status, 100+r.IntN(9000), r.IntN(1e6), r.IntN(9)))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// runJob runs a job that has to succeed, and gives its output folder.
func runJob(t *testing.T, script string, args ...string) string {
	t.Helper()
	output := filepath.Join(t.TempDir(), "output")
	said(t, "", filepath.Join(root, "jobs", script), append([]string{"--quiet", "--output", output}, args...)...)
	if t.Failed() {
		t.FailNow()
	}
	return output
}

// file writes lines into a file of the test.
func file(t *testing.T, name string, lines ...string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestSummaryPage(t *testing.T) {
	t.Parallel()
	output := runJob(t, "summary.sh", "--input", file(t, "a.cdx", captureLines(1, 60)...))
	reporttest.Check(t, filepath.Join(output, "summary.html"))
}

// TestSummaryIsThatOfCDXSummary compares with the Internet Archive's tool, which picks
// other samples.
func TestSummaryIsThatOfCDXSummary(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	if exec.Command(python, "-c", "import cdxsummary").Run() != nil {
		t.Skip("ARCHIVESTREAM_PYTHON names a python without cdxsummary")
	}
	lines := captureLines(2, 80)
	// The two count the same in a sorted index without what only one of them reads.
	name := file(t, "a.cdx", append([]string{" CDX N b a m s k r M S V g\n"}, lines...)...)
	theirs := said(t, "", python, "-c", `
import json, sys
from cdxsummary.analyzer import CDXAnalyzer
from cdxsummary.summarizer import ReportSummarizer
print(ReportSummarizer(CDXAnalyzer(samplesize=10, maxhosts=10)(open(sys.argv[1], "rb"))))
`, name)
	ours, err := os.ReadFile(filepath.Join(runJob(t, "summary.sh", "--input", name), "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	for text, into := range map[string]*map[string]any{theirs: &want, string(ours): &got} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(got["samples"].([]any)); n != len(want["samples"].([]any)) {
		t.Errorf("%d samples", n)
	}
	delete(got, "samples")
	delete(want, "samples")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestProfilePage(t *testing.T) {
	t.Parallel()
	output := runJob(t, "profile.sh", "--input", file(t, "a.cdx", captureLines(1, 200)...))
	reporttest.Check(t, filepath.Join(output, "profile.html"))
}
