package truth

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// madeWhere is of what values are made: of some hundred captures.
const madeWhere = `length in 1..60000 && mime != "warc/revisit" && (filename startsWith "archives--" || filename contains "ipwb" || filename contains "commons" || filename contains "example.warc") && not (filename contains "--iipc-" || filename contains "--cc-")`

// objects are those of JSON in a text, with numbers as they stand.
func objects(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	for {
		x := map[string]any{}
		switch err := decoder.Decode(&x); err {
		case nil:
			all = append(all, x)
		case io.EOF:
			return all
		default:
			t.Fatal(err)
		}
	}
}

// answerOf is what answering.py says of a text.
func answerOf(t *testing.T, text string) string {
	t.Helper()
	n := utf8.RuneCountInString(text)
	backwards := []rune(text)
	slices.Reverse(backwards)
	out, err := json.Marshal([]any{
		nil, []any{text, []int{n}, nil}, map[string]any{"é": text, "none": nil, "all": map[string]any{"": []any{}}},
		string(backwards) + "\u2028🍅\x00\\\"\t", json.Number(fmt.Sprintf("%.1f", float64(n)*1.5)), true,
	}[n%6])
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// fieldText takes the escapes out of a field of a line with tabs.
var fieldText = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

// TestTruthMade holds values that expressions and a program make of others, rows on standard
// output and lines of text against what values.py has of the same records.
func TestTruthMade(t *testing.T) {
	folder := theArchives(t)
	lines := slices.Collect(strings.Lines(said(t, read(t, indexed(t)), bin("filter-captures"), "--where", madeWhere)))
	slices.Sort(lines)
	columns := "filename, offset, length, charset = payload.charset, status, url, mime, title = payload.string.html.title, headings = payload.string.html.headings, text = payload.string.html.text"
	var found [][]string
	var places strings.Builder
	for line := range strings.Lines(said(t, strings.Join(lines, ""), bin("enrich-captures"), "--archives", folder, "--save", "tsv", "--columns", columns)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i := range f {
			f[i] = fieldText.Replace(f[i])
		}
		found = append(found, f)
		fmt.Fprintf(&places, "%s\t%s\t%s\t%s\tfalse\n", filepath.Join(folder, f[0]), f[1], f[2], f[3])
	}
	if len(found) < 300 || len(found) != len(lines) {
		t.Fatalf("%d rows of %d captures", len(found), len(lines))
	}
	of := map[string]capture{}
	for _, c := range captures(t, read(t, indexed(t))) {
		of[c.place()] = c
	}
	args := []string{
		"--cdx", indexed(t), "--archives", folder, "--where", madeWhere, "--enrich", "recordHeader",
		"--map-enrich", "payload.string.html.title twice = payload.string.html.title + payload.string.html.title",
		"--map-enrich", `payload.string.html.title told = {"t": payload.string.html.title, "url": url, "n": [status + 1, len(payload.string.html.headings)]}`,
		"--map-enrich", "payload.string.html.headings levels = map(payload.string.html.headings, .level)",
		"--map-enrich", "payload.string.html.headings.levels sum = sum(payload.string.html.headings.levels)",
		"--enrich-with", "payload.string.html.title answer = " + python(t) + " " + filepath.Join(root, "jobs", "truth", "testdata", "answering.py"),
	}
	made := objects(t, piecesOf(t, run(t, "select.sh", args...)))
	pretty := objects(t, piecesOf(t, run(t, "select.sh", append(args, "--pretty")...)))
	if len(made) != len(found) || len(pretty) != len(made) {
		t.Fatalf("%d and %d objects, %d rows", len(made), len(pretty), len(found))
	}
	var texts []string
	for i, line := range asked(t, places.String(), "values.py") {
		var theirs map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatal(err)
		}
		f, x := found[i], made[i]
		place := f[0] + " " + f[1]
		c := of[place]
		compare(t, "select/--pretty", place, asJSON(t, pretty[i]), asJSON(t, x))
		for n, member := range []string{"filename", "offset", "length", "", "status", "url", "mime"} {
			if member != "" && c[member] != "" {
				compare(t, "select/tsv "+member, place, f[n], c[member])
			}
		}
		title, known := theirs["html.title"]
		if !known {
			continue
		}
		text := plain(t, title)
		compare(t, "select/tsv title", place, f[7], text)
		compare(t, "select/tsv headings", place, normal(t, "", &f[8], theirs["html.headings"]), plain(t, theirs["html.headings"]))
		if page := plain(t, theirs["html.text"]); page != "" && *normalText(f[9]) == page {
			texts = append(texts, page)
		}
		compare(t, "select/tsv text", place, fmt.Sprint(f[9] != ""), fmt.Sprint(plain(t, theirs["html.text"]) != ""))
		var headings []struct{ Level int }
		if err := json.Unmarshal(theirs["html.headings"], &headings); err != nil {
			t.Fatal(err)
		}
		levels, sum := []int{}, 0
		for _, h := range headings {
			levels, sum = append(levels, h.Level), sum+h.Level
		}
		if len(levels) > 0 {
			compare(t, "select/--map-enrich list", place, valueAt(t, x, "payload.string.html.headings.levels"), asJSON(t, levels))
			compare(t, "select/--map-enrich of one made", place, valueAt(t, x, "payload.string.html.headings.levels.sum"), strconv.Itoa(sum))
		}
		twice, told, answer := "null", "null", "null"
		if text != "" {
			status, _ := strconv.Atoi(c["status"])
			twice, answer = asJSON(t, text+text), answerOf(t, text)
			told = asJSON(t, map[string]any{"t": text, "url": c["url"], "n": []int{status + 1, len(levels)}})
		}
		compare(t, "select/--map-enrich text", place, valueAt(t, x, "payload.string.html.title.twice"), twice)
		compare(t, "select/--map-enrich object", place, valueAt(t, x, "payload.string.html.title.told"), told)
		compare(t, "select/--enrich-with", place, valueAt(t, x, "payload.string.html.title.answer"), answer)
	}
	saved := map[string]int{}
	for line := range strings.Lines(piecesOf(t, run(t, "select.sh", "--cdx", indexed(t), "--archives", folder, "--where", madeWhere, "--save", "text", "--enrich", "payload.string.html.text")) + "\n") {
		saved[*normalText(line)]++
	}
	for _, text := range texts {
		compare(t, "select/text", "- text", fmt.Sprintf("%t %s", saved[text] > 0, text), "true "+text)
		saved[text]--
	}
	if len(texts) < 100 {
		t.Errorf("%d texts", len(texts))
	}
}

func asJSON(t *testing.T, x any) string {
	t.Helper()
	out, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
