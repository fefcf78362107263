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
		{"not there", "/no/such/program", `program ended (exit status 127) before it answered`, time.Minute},
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
