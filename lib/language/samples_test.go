package language

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A standing has how often CLD2 and we are right on the texts of a source.
type standing struct{ texts, cld2, first, sure, wrong int }

func (s *standing) add(other standing) {
	s.texts += other.texts
	s.cld2 += other.cld2
	s.first += other.first
	s.sure += other.sure
	s.wrong += other.wrong
}

func (s *standing) String() string {
	percent := func(n int) float64 { return 100 * float64(n) / float64(s.texts) }
	return fmt.Sprintf("%4d texts: CLD2 %.1f %%, ours %.1f %%; reliable and right %.1f %%, reliable and wrong %.1f %%",
		s.texts, percent(s.cld2), percent(s.first), percent(s.sure), percent(s.wrong))
}

// TestSamplesBesideCLD2 compares the languages of texts that are known with those that
// we find and those that CLD2 does: scripts/compare-detectors.sh.
func TestSamplesBesideCLD2(t *testing.T) {
	path := os.Getenv("ARCHIVESTREAM_LANGUAGES")
	if path == "" {
		t.Skip("ARCHIVESTREAM_LANGUAGES does not name the samples that scripts/compare-detectors.sh makes")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, sources, order := standing{}, map[string]*standing{}, []string{}
	for line := range strings.Lines(string(content)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("not four fields: %q", line)
		}
		if sources[f[0]] == nil {
			sources[f[0]] = &standing{}
			order = append(order, f[0])
		}
		one := judge(f[1], f[2], f[3])
		if one.first == 0 {
			found := Detect([]byte(f[3]))
			t.Logf("%s: %s is found to be %v, reliable %t: %.90s", f[0], f[1], found.Languages, found.Reliable, f[3])
		}
		sources[f[0]].add(one)
		all.add(one)
	}
	for _, source := range order {
		t.Logf("%-10s %v", source, sources[source])
	}
	t.Logf("%-10s %v", "all", &all)
	if all.texts < 1000 || 100*(all.cld2-all.first) > 3*all.texts {
		t.Errorf("more than 3 points behind CLD2: %v", &all)
	}
}

func judge(language, cld2, text string) (s standing) {
	s.texts = 1
	if cld2 == language {
		s.cld2 = 1
	}
	found := Detect([]byte(text))
	if len(found.Languages) > 0 && found.Languages[0].Code == language {
		s.first = 1
	}
	switch found.Code() {
	case language:
		s.sure = 1
	case "":
	default:
		s.wrong = 1
	}
	return s
}
