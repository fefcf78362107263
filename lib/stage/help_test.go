package stage

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCommandsAreWrapped holds that a shell takes a wrapped command line for the whole.
func TestCommandsAreWrapped(t *testing.T) {
	for _, line := range []string{
		`printf '%s\n' one`,
		`printf '%s|' --where 'status == 200 && mime == "text/html"' --columns "a = 1, b = c" -D stream.num.map.output.key.fields=3 -files bin/one,bin/two | tr a-z A-Z | LC_ALL=C sort`,
		`printf '%s\n' $'\n' -D textinputformat.record.delimiter=$'\n' and so many words more that the line is too long for eighty columns`,
	} {
		var b strings.Builder
		wrapCommand(&b, line)
		for l := range strings.Lines(b.String()) {
			if len(l) > helpWidth+1 && strings.Count(l, " ") > 6 {
				t.Errorf("a line of %d bytes: %s", len(l), l)
			}
		}
		run := func(command string) string {
			out, err := exec.Command("bash", "-c", command).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			return string(out)
		}
		if got, want := run(b.String()), run(line); got != want {
			t.Errorf("%s\nprints %q, expected %q", b.String(), got, want)
		}
	}
}

func TestOptionsAreColumns(t *testing.T) {
	var b strings.Builder
	item(&b, "--short N", strings.Repeat("word ", 20))
	item(&b, "--an-option-with-a-long-name VALUE", "text")
	item(&b, "--help", "")
	want := "   --short N" + strings.Repeat(" ", 18) + strings.TrimSpace(strings.Repeat("word ", 10)) + "\n" +
		strings.Repeat(" ", 30) + strings.TrimSpace(strings.Repeat("word ", 10)) + "\n" +
		"   --an-option-with-a-long-name VALUE\n" + strings.Repeat(" ", 30) + "text\n   --help\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
