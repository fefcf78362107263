package training

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSameSeedSameModel(t *testing.T) {
	var models [2]bytes.Buffer
	for i := range models {
		if err := Train(&models[i], Options{Seed: 7, Pages: 1500, Features: 300}); err != nil {
			t.Fatal(err)
		}
	}
	if models[0].String() != models[1].String() {
		t.Error("two models of the same seed differ")
	}
	lines := strings.Split(strings.TrimSuffix(models[0].String(), "\n"), "\n")
	if len(lines) != 301 || !strings.HasPrefix(lines[0], "bias\t-") {
		t.Errorf("%d lines, the first is %q", len(lines), lines[0])
	}
	if !strings.Contains(models[0].String(), "\nl:^ 404\t") {
		t.Error("a line that begins with 404 tells nothing")
	}
}

func TestGeneratedPages(t *testing.T) {
	pages := Generate(1, 3000)
	missing := 0
	for _, p := range pages {
		if p.Missing {
			missing++
		}
	}
	if missing < 900 || missing > 1100 {
		t.Errorf("%d of %d pages are error pages", missing, len(pages))
	}
	if diff := cmp.Diff(pages[:10], Generate(1, 10)); diff != "" {
		t.Errorf("the same seed:\n%s", diff)
	}
}
