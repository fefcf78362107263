package stage

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// runTask runs a stage in this process and gives its status and streams.
func runTask(t *testing.T, input string, run func(*Task) error, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := Command{Name: "test-stage", Summary: "test", Run: run, Flags: []cli.Flag{
		&cli.StringFlag{Name: "some-text"}, &cli.IntFlag{Name: "count"},
	}}
	status = Execute(c, append([]string{"test-stage"}, args...), strings.NewReader(input), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func TestLinesOfAnyLength(t *testing.T) {
	for _, n := range []int{0, 1, inBuffer - 1, inBuffer, inBuffer + 1, 3*inBuffer + 7} {
		want := []string{"first", strings.Repeat("x", n), "last"}
		for _, end := range []string{"\n", ""} {
			var got []string
			status, _, errs := runTask(t, strings.Join(want, "\n")+end, func(task *Task) error {
				for line, err := range task.Lines() {
					if err != nil {
						return err
					}
					got = append(got, string(line))
				}
				return nil
			})
			if diff := cmp.Diff(want, got); status != 0 || diff != "" {
				t.Errorf("line of %d bytes, end %q: status %d, %s%s", n, end, status, errs, diff)
			}
		}
	}
}

func TestGroupsKeepNothingAndSkipWhatIsLeft(t *testing.T) {
	const input = "a\t1\nb\t1\nb\t2\nb\t3\nc\t\nd\ne\t5\tx\n"
	read := func(limit int) string {
		var b strings.Builder
		status, _, errs := runTask(t, input, func(task *Task) error {
			for g, err := range task.Groups(1) {
				if err != nil {
					return err
				}
				b.WriteString(string(g.Key) + ":")
				n := 0
				for v, err := range g.Values() {
					if err != nil {
						return err
					}
					if n++; n > limit {
						break
					}
					b.WriteString(string(v) + ",")
				}
				b.WriteByte(' ')
			}
			return nil
		})
		if status != 0 {
			t.Fatal(errs)
		}
		return b.String()
	}
	for limit, want := range map[int]string{
		9: "a:1, b:1,2,3, c:, d:, e:5\tx, ",
		1: "a:1, b:1, c:, d:, e:5\tx, ",
		0: "a: b: c: d: e: ",
	} {
		if got := read(limit); got != want {
			t.Errorf("at most %d values: got %q, want %q", limit, got, want)
		}
	}
}

func TestOptionsComeFromTheEnvironmentToo(t *testing.T) {
	t.Setenv("stage_some_text", "two words, 'quoted'")
	t.Setenv("stage_count", "7")
	status, out, errs := runTask(t, "", func(task *Task) error {
		return task.Emit([]byte(task.String("some-text")), []byte(strings.Repeat("x", task.Int("count"))))
	}, "--count", "3")
	if want := "two words, 'quoted'\txxx\n"; status != 0 || out != want {
		t.Errorf("status %d, output %q, want %q; %s", status, out, want, errs)
	}
}

func TestExitStatusAndMessages(t *testing.T) {
	fail := func(err error) func(*Task) error { return func(*Task) error { return err } }
	for name, c := range map[string]struct {
		run    func(*Task) error
		args   []string
		status int
		stderr string
	}{
		"done":             {fail(nil), nil, 0, ""},
		"failed":           {fail(errors.New("no luck")), nil, 1, "test-stage: error: no luck\n"},
		"failed with hint": {fail(Hint(errors.New("no luck"), "try again")), nil, 1, "test-stage: error: no luck\ntest-stage: hint: try again\n"},
		"usage":            {fail(Usage("bad %s", "value")), nil, 2, "test-stage: error: bad value\ntest-stage: hint: try test-stage --help\n"},
		"unknown option":   {fail(nil), []string{"--nonsense"}, 2, "test-stage: error: unknown option --nonsense\ntest-stage: hint: try test-stage --help\n"},
		"near option":      {fail(nil), []string{"--some-txet", "x"}, 2, "test-stage: error: unknown option --some-txet: did you mean --some-text?\ntest-stage: hint: try test-stage --help\n"},
		"argument":         {fail(nil), []string{"file"}, 2, "test-stage: error: unexpected argument \"file\"\ntest-stage: hint: lines are read from standard input: test-stage < file\n"},
	} {
		status, _, errs := runTask(t, "", c.run, c.args...)
		if status != c.status || errs != c.stderr {
			t.Errorf("%s: status %d, want %d; stderr %q, want %q", name, status, c.status, errs, c.stderr)
		}
	}
}

func TestHelpHasAllSections(t *testing.T) {
	status, out, errs := runTask(t, "", nil, "--help")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, stderr %q", status, errs)
	}
	for _, want := range []string{"test-stage - test", "USAGE", "OPTIONS", "--some-text", "--rejects", "EXIT STATUS"} {
		if !strings.Contains(out, want) {
			t.Errorf("help lacks %q:\n%s", want, out)
		}
	}
}

func TestFullOutputIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full: ", err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	c := Command{Name: "test-stage", Run: func(task *Task) error { return task.Write([]byte("line")) }}
	if status := Execute(c, []string{"test-stage"}, strings.NewReader(""), full, &stderr); status != 1 || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("status %d, stderr %q", status, stderr.String())
	}
}

func TestTaskUnderAnEngine(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("mapreduce_task_attempt_id", "attempt_1_0001_m_000003_0")
	t.Setenv("mapreduce_task_partition", "3")
	t.Setenv("mapreduce_task_ismap", "true")
	t.Setenv("mapreduce_task_output_dir", dir)
	status, out, errs := runTask(t, "x\ny\n", func(task *Task) error {
		for line, err := range task.Lines() {
			if err != nil {
				return err
			}
			if err := task.Reject("bad\tline", line); err != nil {
				return err
			}
		}
		w, err := task.Create("side.txt")
		if err != nil {
			return err
		}
		w.Write([]byte("content"))
		task.Count("things", 2)
		return w.Close()
	})
	if status != 0 || out != "" {
		t.Fatalf("status %d, stdout %q, stderr %q", status, out, errs)
	}
	if want := "reporter:counter:test-stage,rejected,2\nreporter:counter:test-stage,things,2\n"; errs != want {
		t.Errorf("stderr %q, want %q", errs, want)
	}
	for name, want := range map[string]string{
		"side.txt":                        "content",
		"_rejects/test-stage-m-00003.tsv": "test-stage\tbad\\tline\tx\ntest-stage\tbad\\tline\ty\n",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestFailedTaskInAPipeLeavesNoSideFile(t *testing.T) {
	dir := t.TempDir()
	status, _, _ := runTask(t, "", func(task *Task) error {
		w, err := task.Create("side.txt")
		if err != nil {
			return err
		}
		w.Write([]byte("half"))
		return errors.New("no luck")
	}, "--output", dir)
	entries, err := os.ReadDir(dir)
	if status != 1 || err != nil || len(entries) != 0 {
		t.Errorf("status %d, %v, left behind: %v", status, err, entries)
	}
}

func TestEscape(t *testing.T) {
	for plain, escaped := range map[string]string{
		"":                         "",
		"plain é text":             "plain é text",
		"a\tb\nc\rd\\e":            `a\tb\nc\rd\\e`,
		"\x00\x01\x1f\x20\x7f\xff": `\x00\x01\x1f` + " \x7f\xff",
	} {
		if got := string(AppendEscaped(nil, []byte(plain))); got != escaped {
			t.Errorf("escaped %q: %q, want %q", plain, got, escaped)
		}
		if got, err := AppendUnescaped(nil, []byte(escaped)); err != nil || string(got) != plain {
			t.Errorf("unescaped %q: %q, %v, want %q", escaped, got, err, plain)
		}
	}
	for _, bad := range []string{`\`, `\q`, `\x`, `\x1`, `\xg1`, `\xAB`} {
		if got, err := AppendUnescaped(nil, []byte(bad)); err == nil {
			t.Errorf("unescaped %q without an error: %q", bad, got)
		}
	}
}

func TestLastAttempt(t *testing.T) {
	for _, test := range []struct {
		id, isMap, maps, reduces string
		want                     bool
	}{
		{"", "", "", "", true},
		{"attempt_1700000000000_0001_m_000002_0", "true", "4", "1", false},
		{"attempt_1700000000000_0001_m_000002_2", "true", "4", "1", false},
		{"attempt_1700000000000_0001_m_000002_3", "true", "4", "9", true},
		{"attempt_1700000000000_0001_m_000002_1000", "true", "4", "9", true},
		{"attempt_1700000000000_0001_m_000002_2", "true", "", "", false},
		{"attempt_1700000000000_0001_m_000002_3", "true", "", "", true},
		{"attempt_1700000000000_0001_r_000002_0", "false", "4", "1", true},
		{"attempt_1700000000000_0001_r_000002_0", "false", "1", "2", false},
		{"task", "true", "", "", true},
	} {
		t.Setenv("mapreduce_task_attempt_id", test.id)
		t.Setenv("mapreduce_task_ismap", test.isMap)
		t.Setenv("mapreduce_map_maxattempts", test.maps)
		t.Setenv("mapreduce_reduce_maxattempts", test.reduces)
		if got := new(Task).LastAttempt(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("a\tb\\\x00\n"))
	f.Fuzz(func(t *testing.T, field []byte) {
		escaped := AppendEscaped(nil, field)
		for _, c := range escaped {
			if c < 0x20 {
				t.Fatalf("%q: byte %#x is left", escaped, c)
			}
		}
		back, err := AppendUnescaped(nil, escaped)
		if err != nil || !bytes.Equal(back, field) {
			t.Fatalf("%q came back as %q, %v", field, back, err)
		}
		if _, err := AppendUnescaped(nil, field); err != nil && len(field) == 0 {
			t.Fatal("an empty field is sound")
		}
	})
}

// rejectAll rejects each line with its number.
func rejectAll(task *Task) error {
	n := 0
	for line, err := range task.Lines() {
		if err != nil {
			return err
		}
		n++
		if err := task.Reject(fmt.Sprintf("offset %d: bad %q", n, line), line); err != nil {
			return err
		}
	}
	return nil
}

// TestRejectsAreCapped rejects more lines, more bytes and longer lines than are kept.
func TestRejectsAreCapped(t *testing.T) {
	lines := strings.Repeat("x\n", 100)
	for name, c := range map[string]struct {
		input string
		args  []string
		kept  int
		left  string
	}{
		"none":  {lines, []string{"--keep-rejects", "0"}, 0, "100"},
		"lines": {lines, []string{"--keep-rejects", "7"}, 7, "93"},
		"all":   {lines, []string{"--keep-rejects", "100"}, 100, ""},
		"bytes": {lines, []string{"--keep-reject-bytes", "200"}, 7, "93"},
	} {
		file := filepath.Join(t.TempDir(), "rejects.tsv")
		status, _, errs := runTask(t, c.input, rejectAll, append(c.args, "--rejects", file)...)
		text, err := os.ReadFile(file)
		if status != 0 || err != nil || !strings.Contains(errs, "rejected,100\n") {
			t.Fatalf("%s: status %d, %v: %s", name, status, err, errs)
		}
		want := ""
		for i := range c.kept {
			want += fmt.Sprintf("test-stage\toffset %d: bad \"x\"\tx\n", i+1)
		}
		if c.left != "" {
			want += "test-stage\toffset N: bad \"…\"\t\t" + c.left + "\n"
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	status, _, errs := runTask(t, strings.Repeat("y", 100_000), rejectAll)
	if status != 0 || len(errs) > 3*keptInput {
		t.Errorf("status %d, %d bytes: %.100s", status, len(errs), errs)
	}
}

// TestReasonsAreBounded has more kinds of reasons than are counted.
func TestReasonsAreBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rejects.tsv")
	input := ""
	for i := range 2 * maxReasons {
		input += strings.Repeat("z", i) + "\n"
	}
	status, _, errs := runTask(t, input, func(task *Task) error {
		for line, err := range task.Lines() {
			if err != nil {
				return err
			}
			if err := task.Reject(string(line), line); err != nil {
				return err
			}
		}
		return nil
	}, "--rejects", file, "--keep-rejects", "0")
	text, err := os.ReadFile(file)
	if status != 0 || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	if n := strings.Count(string(text), "\n"); n != maxReasons+1 || !strings.Contains(string(text), "test-stage\tother reasons\t\t100\n") {
		t.Errorf("%d lines: %s", n, text)
	}
}

// TestLongLines has a line that is longer than --max-line, in a map task and between
// map and reduce.
func TestLongLines(t *testing.T) {
	text := "a\t1\n" + strings.Repeat("b", 1000) + "\nc\t2\n"
	file := filepath.Join(t.TempDir(), "rejects.tsv")
	want := fmt.Sprintf("test-stage\tstandard input: line 2, from byte 4: 1000 bytes are longer than the longest line that is read, 100 (--max-line)\t%s\n", strings.Repeat("b", 200))
	for name, read := range map[string]func(*Task) error{
		"lines": func(task *Task) error {
			for line, err := range task.Lines() {
				if err != nil {
					return err
				}
				task.Write(line)
			}
			return nil
		},
		"groups": func(task *Task) error {
			for group, err := range task.Groups(1) {
				if err != nil {
					return err
				}
				for value, err := range group.Values() {
					if err != nil {
						return err
					}
					task.Emit(group.Key, value)
				}
			}
			return nil
		},
	} {
		status, out, errs := runTask(t, text, read, "--max-line", "100", "--rejects", file)
		rejects, err := os.ReadFile(file)
		if status != 0 || err != nil || out != "a\t1\nc\t2\n" {
			t.Fatalf("%s: status %d, %q, %v: %s", name, status, out, err, errs)
		}
		if diff := cmp.Diff(want, string(rejects)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestForeignInput gives an archive, gzip and a page to a stage that reads lines: each
// is one reject, not as many as it has lines, also where a task reads a part of it.
func TestForeignInput(t *testing.T) {
	const archive = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"
	dir := t.TempDir()
	whole := filepath.Join(dir, "x.warc")
	if err := os.WriteFile(whole, []byte(archive), 0o666); err != nil {
		t.Fatal(err)
	}
	lines := filepath.Join(dir, "x.txt")
	if err := os.WriteFile(lines, []byte("a\nb\nc\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ input, file, start, want string }{
		"archive": {archive, "", "", "test-stage\tstandard input: expected lines, found WARC\tWARC/1.0\\r\n"},
		"gzip":    {"\x1f\x8b\x08\n\n\n", "", "", "test-stage\tstandard input: expected lines, found gzip\t\\x1f\x8b\\x08\n"},
		"page":    {"<html>\na\n", "", "", "test-stage\tstandard input: expected lines, found HTML\t<html>\n"},
		"made":    {"<html>\nb\n", "/out/_work/plan/part-00000", "", "test-stage\toffset 1: bad \"<html>\"\t<html>\ntest-stage\toffset 2: bad \"b\"\tb\n"},
		"a part":  {"abc\nd\ne\n", whole, "30", "test-stage\t" + whole + " from byte 30: expected lines, found a part of WARC\tabc\n"},
		"lines":   {"b\nc\n", lines, "2", "test-stage\toffset 1: bad \"b\"\tb\ntest-stage\toffset 2: bad \"c\"\tc\n"},
	} {
		t.Setenv("mapreduce_task_attempt_id", "attempt_1_0001_m_000000_0")
		t.Setenv("mapreduce_map_input_file", c.file)
		t.Setenv("mapreduce_map_input_start", c.start)
		output := t.TempDir()
		t.Setenv("mapreduce_task_output_dir", output)
		status, _, errs := runTask(t, c.input, rejectAll)
		text, err := os.ReadFile(filepath.Join(output, "_rejects", "test-stage-m-00000.tsv"))
		if status != 0 || err != nil {
			t.Fatalf("%s: status %d, %v: %s", name, status, err, errs)
		}
		if diff := cmp.Diff(c.want, string(text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestForeignInputByHand fails, with what was given and what is expected, where no engine
// reads other inputs too.
func TestForeignInputByHand(t *testing.T) {
	status, out, errs := runTask(t, "WARC/1.0\r\nWARC-Type: response\r\n", rejectAll)
	if status != 1 || out != "" || !strings.Contains(errs, "test-stage: error: standard input: expected lines, found WARC\ntest-stage: hint: ") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}
