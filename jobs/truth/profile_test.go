package truth

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"archivestream/lib/realdata"
)

// leaves returns the values in a JSON text, by their places in it; numbers with nine
// significant digits.
func leaves(t *testing.T, text string) map[string]string {
	t.Helper()
	var x any
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	all := map[string]string{}
	var visit func(place string, x any)
	visit = func(place string, x any) {
		switch x := x.(type) {
		case map[string]any:
			for name, member := range x {
				visit(place+"/"+name, member)
			}
		case []any:
			for i, element := range x {
				visit(fmt.Sprintf("%s/%d", place, i), element)
			}
		case float64:
			all[place] = strconv.FormatFloat(x, 'g', 9, 64)
		default:
			all[place] = fmt.Sprint(x)
		}
	}
	visit("", x)
	return all
}

// compareLeaves holds the values of two JSON texts against each other, by the first member
// that they are in.
func compareLeaves(t *testing.T, value, place, ours, theirs string) {
	t.Helper()
	a, b := leaves(t, ours), leaves(t, theirs)
	if len(b) == 0 {
		t.Fatalf("%s: nothing to compare", value)
	}
	for at, text := range b {
		parts := strings.SplitN(at, "/", 3)
		ours, found := a[at]
		if !found {
			ours = "not there"
		}
		compare(t, value+" "+parts[1], place+" "+at, ours, text)
		delete(a, at)
	}
	for at, text := range a {
		compare(t, value+" "+strings.SplitN(at, "/", 3)[1], place+" "+at, text, "not there")
	}
}

// comparePage holds what a page shows against what it must.
func comparePage(t *testing.T, value, place, page, theirs string) {
	t.Helper()
	compareLeaves(t, value, place, asked(t, "", "reports.py", page)[0], theirs)
}

// foreignIndexes returns the indexes among the crawl files that other programs have made,
// those that name archive files.
func foreignIndexes(t *testing.T) []string {
	t.Helper()
	if os.Getenv("ARCHIVESTREAM_DATA") == "" {
		return nil
	}
	return realdata.Files(t, func(path string) bool {
		switch {
		case strings.HasSuffix(path, ".cdxj"):
			return strings.Contains(read(t, path), `"filename"`)
		default:
			return strings.HasSuffix(path, ".cdx") || strings.HasSuffix(path, ".cdx.gz")
		}
	})
}

// TestTruthProfile holds profile.json and the page of it against a slow program with all
// captures in memory.
func TestTruthProfile(t *testing.T) {
	h := newHoldings(t)
	for name, c := range map[string]struct {
		files, options []string
	}{
		"all":   {[]string{"all.cdxj"}, nil},
		"parts": {[]string{"first.cdxj", "second.cdxj"}, []string{"--maps", "3", "--reducers", "4", "--title", "Two parts & <b>"}},
		"where": {[]string{"all.cdxj"}, []string{"--where", `status==200 && mime=="text/html"`, "--top", "3", "--tlds", "4"}},
		"least": {[]string{"first.cdxj"}, []string{"--top", "1", "--tlds", "1", "--where", `timestamp >= "20100101000000"`}},
	} {
		t.Run(name, func(t *testing.T) {
			var files []string
			for _, file := range c.files {
				files = append(files, h.path(file))
			}
			compareProfile(t, name, files, c.options)
		})
	}
}

// TestTruthForeignIndexes does that with the indexes of other programs.
func TestTruthForeignIndexes(t *testing.T) {
	python(t)
	files := foreignIndexes(t)
	if len(files) == 0 {
		t.Skip("no indexes of other programs")
	}
	compareProfile(t, "foreign", files, nil)
	compareProfile(t, "foreign in parts", files, []string{"--maps", "60", "--reducers", "3"})
}

func compareProfile(t *testing.T, name string, files, options []string) {
	t.Helper()
	args := append([]string{"--input"}, files...)
	output := run(t, "profile.sh", append(args, options...)...)
	values := map[string]string{"--where": "", "--top": "20", "--tlds": "20", "--title": "Profile of a collection"}
	for i := 0; i+1 < len(options); i += 2 {
		values[options[i]] = options[i+1]
	}
	ours := read(t, output, "profile.json")
	var p struct {
		PerURI struct{ Curve [][2]float64 } `json:"urims_per_urir"`
	}
	if err := json.Unmarshal([]byte(ours), &p); err != nil {
		t.Fatal(err)
	}
	shares := []float64{}
	for _, point := range p.PerURI.Curve {
		shares = append(shares, point[0])
	}
	if n := len(shares); n < 2 || shares[0] != 0 || shares[n-1] != 1 {
		t.Fatalf("a curve over %v", shares)
	}
	text, err := json.Marshal(shares)
	if err != nil {
		t.Fatal(err)
	}
	curve := filepath.Join(t.TempDir(), "shares.json")
	if err := os.WriteFile(curve, text, 0o666); err != nil {
		t.Fatal(err)
	}
	theirs := asked(t, "", "collection.py", append([]string{values["--where"], values["--top"], values["--tlds"], values["--title"], curve}, files...)...)
	compareLeaves(t, "profile/json", name, ours, theirs[0])
	comparePage(t, "profile/html", name, filepath.Join(output, "profile.html"), theirs[1])
}
