package surt

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/stage"
	"archivestream/lib/surt/surttest"
)

// asked gives the answers of Python's tools, see testdata/oracle.py: per question
// its fields.
func asked(t *testing.T, what string, questions [][]string) [][]string {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has surt, pywb and cdxj-indexer")
	}
	var in []byte
	for _, q := range questions {
		for i, field := range q {
			if i > 0 {
				in = append(in, '\t')
			}
			in = stage.AppendEscaped(in, []byte(field))
		}
		in = append(in, '\n')
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(python, "-W", "ignore", filepath.Join("testdata", "oracle.py"), what)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skipf("ARCHIVESTREAM_PYTHON names no python that has surt, pywb and cdxj-indexer: %s", strings.TrimSpace(errs.String()))
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, errs.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(lines), len(questions))
	}
	answers := make([][]string, len(lines))
	for i, line := range lines {
		for _, field := range strings.Split(line, "\t") {
			answers[i] = append(answers[i], unescaped(t, field))
		}
	}
	return answers
}

func unescaped(t *testing.T, field string) string {
	t.Helper()
	raw, err := stage.AppendUnescaped(nil, []byte(field))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// pythonKeys gives the keys of URLs by Python's surt.
func pythonKeys(t *testing.T, urls []string) []string {
	t.Helper()
	questions := make([][]string, len(urls))
	for i, url := range urls {
		questions[i] = []string{url}
	}
	keys := make([]string, len(urls))
	for i, answer := range asked(t, "keys", questions) {
		keys[i] = answer[0]
	}
	return keys
}

// separates are the bytes that would end the field or line of a key.
const separates = " \t\n\r"

// pythonFails says whether Python has no key for a URL, or one that cannot stand in
// a line.
func pythonFails(key string) bool {
	return strings.HasPrefix(key, "!") || strings.ContainsAny(key, separates)
}

// TestKeyEqualsPython asks Python for the keys of made URLs, other ones than
// yesterday's.
func TestKeyEqualsPython(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	urls := make([]string, 30_000)
	for i := range urls {
		urls[i] = surttest.HardURL(random)
	}
	compareWithPython(t, urls)
}

// TestIDNEqualsPython asks for hosts of code points of all planes.
func TestIDNEqualsPython(t *testing.T) {
	step := 97
	if os.Getenv("ARCHIVESTREAM_ALL_CODE_POINTS") != "" {
		step = 1
	}
	var urls []string
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if r > 0x3000 && int(r)%step != 0 {
			continue
		}
		urls = append(urls, fmt.Sprintf("http://%c.example/", r), fmt.Sprintf("http://a%cb\u0301.example/", r), fmt.Sprintf("http://\u05d0%c\u05d1/", r))
	}
	compareWithPython(t, urls)
}

func compareWithPython(t *testing.T, urls []string) {
	t.Helper()
	answered, wrong := 0, 0
	for i, want := range pythonKeys(t, urls) {
		got := Key(urls[i])
		if pythonFails(want) {
			if got == "" || strings.ContainsAny(got, separates) {
				t.Errorf("%q: %q cannot stand in a line", urls[i], got)
			}
			continue
		}
		answered++
		if got != want && wrong < 40 {
			wrong++
			t.Errorf("%q:\n got %q\nwant %q", urls[i], got, want)
		}
	}
	if answered < len(urls)/2 {
		t.Errorf("Python has answered %d of %d times", answered, len(urls))
	}
}

// TestRealURLs compares with the keys of real and of hard URLs that other tools
// made, in surt/*.tsv below ARCHIVESTREAM_DATA.
func TestRealURLs(t *testing.T) {
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		t.Skip("ARCHIVESTREAM_DATA names no folder of real crawl files")
	}
	unescape := strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r")
	for name, column := range map[string]int{"surt_real_urls.tsv": 1, "surt_vectors.tsv": 2} {
		content, err := os.ReadFile(filepath.Join(dir, "surt", name))
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("the folder of crawl files holds no surt/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for line := range strings.Lines(string(content)) {
			fields := strings.Split(line, "\t")
			if strings.HasPrefix(line, "#") || strings.HasPrefix(fields[column], "ERR:") {
				continue
			}
			compared++
			if got := Key(unescape.Replace(fields[0])); got != fields[column] {
				t.Errorf("%s: %s: got %q, want %q", name, fields[0], got, fields[column])
			}
		}
		if compared < 100 {
			t.Errorf("%s has %d keys", name, compared)
		}
	}
}
