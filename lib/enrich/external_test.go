package enrich

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// ask runs a program over some pages and gives the lines of the output.
func ask(t *testing.T, pages int, command string, timeout time.Duration) []string {
	t.Helper()
	var a archive
	for i := range pages {
		a.add(t, fmt.Sprintf("http://example.com/%d", i), "text/html", fmt.Sprintf("HTTP/1.1 200 OK\r\n\r\n<title>Page %d</title>", i))
	}
	r := a.run(t, MapperOptions{Options: Options{EnrichWith: []string{"title it = " + command}}, Workers: 2, Timeout: timeout})
	if r.err != nil || r.rejects != "" {
		t.Fatalf("%v, %s", r.err, r.rejects)
	}
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if len(lines) != pages {
		t.Fatalf("%d lines, want %d", len(lines), pages)
	}
	return lines
}

func TestExternalProgram(t *testing.T) {
	for i, line := range ask(t, 100, "cat", time.Minute) {
		if want := fmt.Sprintf(`"title":{"it":"Page %d"}`, i); !strings.Contains(line, want) {
			t.Fatalf("line %d: %s", i, line)
		}
	}
	for _, test := range []struct {
		name, command string
		want          string // in each line
		timeout       time.Duration
	}{
		{"an object", `sed -u 's/.*/{ "a": [&, 1.5, null] }/'`, `"it":{"a":["Page`, time.Minute},
		{"null", `sed -u 's/.*/null/'`, `"meta":"-"}}`, time.Minute},
		{"dies", "head -c 5 >/dev/null; exit 3", `program ended (exit status 3) before it answered`, time.Minute},
		{"garbage", `sed -u 's/.*/no json/'`, "program gave no JSON", time.Minute},
		{"output closed", "exec cat >/dev/null", "program ended (it closed its output) before it answered", time.Minute},
		{"silent", "while read -r x; do :; done", "program gave no answer in 50ms", 50 * time.Millisecond},
		{"deaf", "exec sleep 60", "program gave no answer in 50ms", 50 * time.Millisecond},
	} {
		for _, line := range ask(t, 3, test.command, test.timeout) {
			if !strings.Contains(line, test.want) {
				t.Errorf("%s: %s", test.name, line)
			}
		}
	}
}

// TestExternalProgramThatDiesNowAndThen loses the answers for which the program died,
// and no others.
func TestExternalProgramThatDiesNowAndThen(t *testing.T) {
	lost := 0
	for i, line := range ask(t, 20, `while read -r x; do case $x in *[37]\") exit 1;; esac; printf '%s\n' "$x"; done`, time.Minute) {
		if strings.Contains(line, "program ended (exit status 1)") {
			if lost++; i%10 != 3 && i%10 != 7 {
				t.Errorf("line %d: %s", i, line)
			}
		} else if want := fmt.Sprintf(`"it":"Page %d"`, i); !strings.Contains(line, want) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	if lost != 4 {
		t.Errorf("%d answers lost, want 4", lost)
	}
}

func TestExternalProgramIsGivenUp(t *testing.T) {
	given := 0
	for _, line := range ask(t, maxFailures+10, "exit 1", time.Minute) {
		if strings.Contains(line, "program was given up after 20 failures in a row") {
			given++
		}
	}
	if given != 10 {
		t.Errorf("%d records were not asked for, want 10", given)
	}
}

// TestLongQuestionsAndAnswers exceed the buffers of pipes on both sides.
func TestLongQuestionsAndAnswers(t *testing.T) {
	var a archive
	for i := range 3 {
		a.add(t, fmt.Sprintf("http://example.com/%d", i), "text/html", "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", 300_000))
	}
	r := a.run(t, MapperOptions{Options: Options{EnrichWith: []string{"payload.string it = cat"}, MapEnrich: []string{"payload.string.it size = len(payload.string.it)"}}, Workers: 2})
	if r.err != nil || strings.Count(r.out, `"size":300000`) != 3 {
		t.Errorf("%v, %.300s", r.err, r.out)
	}
}

// TestProgramThatCannotRunEndsTheTask also where its value is needed for a condition
// only; whatever the output is.
func TestProgramThatCannotRunEndsTheTask(t *testing.T) {
	for _, command := range []string{"/no/such/program", "no-such-program --option", "true && /dev/null", "exec /etc"} {
		for _, o := range []MapperOptions{
			{Save: "json"}, {Save: "csv"}, {Save: "text", Options: Options{Keep: []string{"payload.string.html.title.it != nil"}}},
		} {
			var a archive
			a.add(t, "http://example.com/1", "text/html", "HTTP/1.1 200 OK\r\n\r\n<title>One</title>")
			o.EnrichWith = []string{"title it = " + command}
			r := a.run(t, o)
			if r.err == nil || !strings.Contains(r.err.Error(), "--enrich-with: program cannot be run (exit status 12") || !strings.HasSuffix(r.err.Error(), command) {
				t.Errorf("%s, %s: %v", command, o.Save, r.err)
			}
		}
	}
}

// TestMissingAnswerIsAReject where a row has no place for errors, and an error beside
// the values where it has.
func TestMissingAnswerIsAReject(t *testing.T) {
	const command = `while read -r x; do case $x in *7*) exit 1;; esac; printf '%s\n' "$x"; done`
	for save, rejects := range map[string]int{"json": 0, "csv": 1, "parquet": 1, "text": 1, "tsv": 1} {
		var a archive
		for i := range 10 {
			a.add(t, fmt.Sprintf("http://example.com/%d", i), "text/html", fmt.Sprintf("HTTP/1.1 200 OK\r\n\r\n<title>Page %d</title>", i))
		}
		r := a.run(t, MapperOptions{Save: save, Options: Options{EnrichWith: []string{"title it = " + command}}})
		if r.err != nil || strings.Count(r.rejects, "program ended (exit status 1) before it answered") != rejects || strings.Count(r.rejects, "\n") != rejects {
			t.Errorf("%s: %v, %s", save, r.err, r.rejects)
		}
		if n := 10 - rejects; !strings.Contains(r.messages, fmt.Sprintf("kept,%d", n)) {
			t.Errorf("%s: %s", save, r.messages)
		}
	}
}

// TestProgramsAreLookedFor before any is needed.
func TestProgramsAreLookedFor(t *testing.T) {
	for command, found := range map[string]bool{
		"cat": true, "/bin/sh -c cat": true, "LC_ALL=C cat": true, "exec cat": true, "while read -r x; do echo 1; done": true,
		"$HOME/x": true, "'a b' c": true, // the shell would have to say
		"no-such-program": false, "/no/such/program --x": false, "A=1 no-such-program": false,
	} {
		p, err := newPlan(Options{EnrichWith: []string{"title it = " + command}})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.findPrograms(); (err == nil) != found {
			t.Errorf("%s: %v", command, err)
		}
	}
}
