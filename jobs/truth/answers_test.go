package truth

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lookups are URIs of all archives, and others of the same hosts and of hosts near them.
func lookups(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for i, c := range captures(t, read(t, indexed(t))) {
		if !plainURL.MatchString(c["url"]) {
			continue
		}
		b.WriteString(c["url"] + "\n")
		scheme, rest, _ := strings.Cut(c["url"], "://")
		host, _, _ := strings.Cut(rest, "/")
		others := []string{c["url"] + "x", c["url"] + "/x/y?z", scheme + "://" + host + "/no-such-page", scheme + "://no-such." + host + "/", "http://no-such-site.example/" + fmt.Sprint(i)}
		b.WriteString(others[i%len(others)] + "\n")
	}
	return b.String()
}

// TestTruthLookups holds what maps answer to lookups, of what is held and of what is not,
// against a slow program. Of a map of everything no held URL may be missing.
func TestTruthLookups(t *testing.T) {
	h := newHoldings(t)
	h.write(t, "copy.ukvs.gz", read(t, run(t, "mementomap.sh", "--input", h.path("all.cdxj"), "--gzip"), "mementomap.ukvs.gz"))
	blocks := run(t, "mementomap.sh", "--input", h.path("all.cdxj"), "--gzip", "--path-weight", "0.5")
	maps := map[string]string{
		"text": h.path("first.ukvs"), "rolled up": h.path("small.ukvs"), "marked": h.path("marked.ukvs"), "gzip": h.path("copy.ukvs.gz"),
		"blocks": filepath.Join(blocks, "mementomap.ukvs.gz"),
	}
	for name, args := range map[string][]string{
		"blocked": {"--blocked", h.path("blocked.txt")}, "rolled TLDs": {"--roll-tlds", "1"}, "least": {"--host-weight", "0", "--path-weight", "0"},
	} {
		maps[name] = filepath.Join(run(t, "mementomap.sh", append(args, "--input", h.path("all.cdxj"))...), "mementomap.ukvs")
	}
	uris := lookups(t)
	var surts strings.Builder
	held := map[string]bool{}
	for _, c := range captures(t, read(t, indexed(t))) {
		surts.WriteString(c["key"] + "\n")
		held[c["url"]] = true
		held[c["key"]] = true
	}
	everything := map[string]bool{"gzip": true, "blocks": true, "rolled TLDs": true, "least": true}
	for kind, input := range map[string]string{"uris": uris, "surts": surts.String()} {
		for name, path := range maps {
			args := []string{"--map", path}
			if kind == "surts" {
				args = append(args, "--keys")
			}
			ours := strings.Split(said(t, input, filepath.Join(root, "bin", "lookup-mementomap"), args...), "\n")
			for i, line := range asked(t, input, "answers.py", "look", kind, path) {
				lookup, answer, _ := strings.Cut(line, "\t")
				our, _ := strings.CutPrefix(ours[i], lookup+"\t")
				compare(t, "lookup-mementomap/"+kind+" "+name, lookup, our, answer)
				if everything[name] && held[lookup] {
					compare(t, "lookup-mementomap/held", lookup, fmt.Sprint(strings.HasSuffix(our, "\t-") || strings.HasSuffix(our, "\t0")), "false")
				}
			}
		}
	}
}

// An evaluation is what answers.py is asked, with the job's other arguments.
type evaluation struct {
	Maps    []string  `json:"maps"`
	Lookups string    `json:"lookups"`
	Truth   []string  `json:"truth"`
	By      string    `json:"by"`
	Where   string    `json:"where"`
	Title   string    `json:"title"`
	Weights []float64 `json:"weights"`
	Shape   []string  `json:"shape"`
	truth   string    // for the job, where it is another form
	more    []string
}

// TestTruthEvaluation holds what maps cost and answer, the maps of a grid, and the page of
// it against a slow program.
func TestTruthEvaluation(t *testing.T) {
	h := newHoldings(t)
	h.write(t, "uris.txt", lookups(t))
	all, first, small, uris := h.path("all.cdxj"), h.path("first.ukvs"), h.path("small.ukvs"), h.path("uris.txt")
	index := run(t, "index.sh", "--input", theArchives(t), "--zipnum", "--shards", "3")
	folder := filepath.Join(t.TempDir(), "index")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, e := range []evaluation{
		{Maps: []string{first, small}, Truth: []string{all}, By: "uri", Title: "Two maps & <b>", more: []string{"--title", "Two maps & <b>"}},
		{Maps: []string{small, h.path("marked.ukvs")}, Truth: []string{all}, By: "key", more: []string{"--by", "key", "--maps", "4", "--reducers", "3"}},
		{Maps: []string{small}, Truth: []string{first}, By: "key", more: []string{"--by", "key"}},
		{Maps: []string{small}, Truth: []string{all}, By: "uri", Where: "status==200", more: []string{"--where", "status==200"}},
		{Maps: []string{first}, Truth: []string{all}, By: "uri", truth: filepath.Join(index, "zipnum")},
		{Maps: []string{first}, Truth: []string{all}, By: "uri", truth: index, Weights: []float64{4, 1, 0.25, 0}, more: []string{"--grid", "4,1,0.25,0"}},
		{
			Maps: []string{first}, Truth: []string{all}, By: "uri", Weights: []float64{0.5, 2},
			Shape: []string{"--host-curve", "5,0.5", "--path-curve", "8,1", "--host-depth", "3", "--path-depth", "2"}, more: []string{"--grid", "0.5,2"},
		},
	} {
		name := fmt.Sprint(i)
		e.Lookups = uris
		if e.Title == "" {
			e.Title = "Evaluation of maps"
		}
		ask, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if e.truth == "" {
			e.truth = e.Truth[0]
		}
		args := append([]string{"--map"}, e.Maps...)
		output := run(t, "mementomap-eval.sh", append(append(append(args, "--lookups", uris, "--truth", e.truth), e.Shape...), e.more...)...)
		theirs := asked(t, string(ask)+"\n", "answers.py", "evaluate")
		compareLeaves(t, "mementomap-eval/json", name, read(t, output, "evaluation.json"), theirs[0])
		var page map[string]json.RawMessage
		if err := json.Unmarshal([]byte(theirs[1]), &page); err != nil {
			t.Fatal(err)
		}
		compareGrid(t, output, page["made"])
		delete(page, "made")
		shown, err := json.Marshal(page)
		if err != nil {
			t.Fatal(err)
		}
		comparePage(t, "mementomap-eval/html", name, filepath.Join(output, "evaluation.html"), string(shown))
	}
}

// compareGrid holds each line of the maps of a grid against those that are in a JSON text.
func compareGrid(t *testing.T, output string, text json.RawMessage) {
	t.Helper()
	var maps map[string][]string
	if err := json.Unmarshal(text, &maps); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(output, "maps", "*"))
	if err != nil || len(files) != len(maps) {
		t.Errorf("%d maps of a grid, expected %d", len(files), len(maps))
	}
	for name, theirs := range maps {
		ours := strings.Split(strings.TrimSuffix(read(t, output, "maps", name), "\n"), "\n")
		compare(t, "mementomap-eval/grid lines", name, fmt.Sprint(len(ours)), fmt.Sprint(len(theirs)))
		for i := range min(len(ours), len(theirs)) {
			compare(t, "mementomap-eval/grid", name, ours[i], theirs[i])
		}
	}
}
