package truth

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// expressions returns those of a kind that expressions.py knows.
func expressions(t *testing.T, kind string) []string {
	t.Helper()
	var all []string
	for _, line := range asked(t, "", "expressions.py", "list") {
		var e struct{ Kind, Expr string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind == kind {
			all = append(all, e.Expr)
		}
	}
	return all
}

// bin is the path of a program.
func bin(name string) string { return filepath.Join(root, "bin", name) }

// TestTruthConditions takes the captures for which conditions are true from the index as a
// pipe, by a search in it, and while records are read, as Python does.
func TestTruthConditions(t *testing.T) {
	path, folder := indexed(t), theArchives(t)
	text := read(t, path)
	all := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	number := map[string]int{}
	for i, line := range all {
		number[strings.TrimSuffix(line, "\n")] = i
	}
	// numbers are those of the lines in an answer that are in both, or only in one.
	verdict := func(t *testing.T, place, value, answer, want string) {
		t.Helper()
		wanted := map[int]bool{}
		for _, f := range strings.Fields(want) {
			n, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(err)
			}
			wanted[n] = true
		}
		n := len(wanted)
		var extra, lost []string
		for line := range strings.Lines(answer) {
			line = strings.TrimSuffix(line, "\n")
			i, known := number[line]
			if !known {
				t.Fatalf("not a line of the index: %.300s", line)
			}
			if !wanted[i] {
				extra = append(extra, line)
			}
			delete(wanted, i)
		}
		for i := range wanted {
			lost = append(lost, all[i])
		}
		compare(t, value, "- "+place, fmt.Sprintf("%d and %s", n, sample(extra)), fmt.Sprintf("%d and %s", n, sample(nil)))
		compare(t, value, "- "+place, sample(nil), sample(lost))
	}
	plan := said(t, text, bin("filter-captures"))
	want := asked(t, text, "expressions.py", "condition")
	for i, e := range expressions(t, "condition") {
		verdict(t, e, "select/--where", said(t, text, bin("filter-captures"), "--form", "cdxj", "--where", e), want[i])
		verdict(t, e, "select/--where searched", said(t, "", bin("filter-captures"), "--form", "cdxj", "--where", e, "--index", path), want[i])
		if i%10 == 0 {
			kept := said(t, plan, bin("enrich-captures"), "--archives", folder, "--save", "plan", "--keep", e)
			verdict(t, e, "select/--keep", said(t, kept, bin("filter-captures"), "--form", "cdxj"), want[i])
		}
	}
}

// sample is the number of some lines and their first.
func sample(lines []string) string {
	if len(lines) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d, the first %.300s", len(lines), lines[0])
}

// TestTruthExpressions holds the value of expressions on captures against what Python has
// for it.
func TestTruthExpressions(t *testing.T) {
	text := read(t, indexed(t))
	var columns []string
	names := expressions(t, "value")
	for i, e := range names {
		columns = append(columns, fmt.Sprintf("c%d = (%s)", i, e))
	}
	output := run(t, "select.sh", "--cdx", indexed(t), "--archives", theArchives(t), "--revisits", "keep", "--save", "csv", "--raw-csv", "--columns", strings.Join(columns, "\n"),
		"--columns", "place = filename + ' ' + string(offset)")
	byPlace := map[string]row{}
	for _, r := range rows(t, "csv", output, ".csv.gz") {
		byPlace[r.text("place")] = r
	}
	lines := asked(t, text, "expressions.py", "value")
	for i, c := range captures(t, text) {
		var theirs [][]json.RawMessage
		if err := json.Unmarshal([]byte(lines[i]), &theirs); err != nil {
			t.Fatal(err)
		}
		r, taken := byPlace[c.place()]
		if !taken {
			continue
		}
		for n, e := range names {
			if len(theirs[n]) == 0 {
				continue
			}
			ours, want := r.text(fmt.Sprintf("c%d", n)), plain(t, theirs[n][0])
			if theirs[n][0][0] != '"' && ours != "" {
				ours = plain(t, []byte(ours))
			}
			compare(t, "select/"+e, c.place(), ours, want)
		}
	}
	if len(byPlace) < len(lines)*9/10 {
		t.Errorf("%d rows of %d captures", len(byPlace), len(lines))
	}
}

// TestTruthLinks holds what the functions of URLs make of each link of all pages, a row for
// each of them, against RFC 3986 in Python.
func TestTruthLinks(t *testing.T) {
	output := run(t, "select.sh", "--cdx", indexed(t), "--archives", theArchives(t), "--save", "csv", "--raw-csv", "--each", "payload.string.html.links", "--where", `mime contains "html"`,
		"--columns", "filename, offset, url, link = each.url, absolute = absolute(each.url, url), domain = domainOf(absolute(each.url, url)), file = fileOf(each.url), suffix = suffixOf(absolute(each.url, url))")
	var questions strings.Builder
	var found []row
	seen := map[string]bool{}
	for _, r := range rows(t, "csv", output, ".csv.gz") {
		question, err := json.Marshal([]string{r.text("url"), r.text("link")})
		if err != nil {
			t.Fatal(err)
		}
		if !seen[string(question)] {
			seen[string(question)] = true
			fmt.Fprintf(&questions, "%s\n", question)
			found = append(found, r)
		}
	}
	for i, line := range asked(t, questions.String(), "expressions.py", "link") {
		var theirs []string
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatal(err)
		}
		for n, column := range []string{"absolute", "domain", "file", "suffix"} {
			compare(t, "select/"+column+" of a link", found[i].place()+" "+found[i].text("link"), found[i].text(column), theirs[n])
		}
	}
}
