package mementomap

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// execute runs a function as a stage and gives what it wrote to standard output and
// standard error.
func execute(t testing.TB, in string, flags []cli.Flag, run func(*stage.Task) error, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	c := stage.Command{Name: "test", Flags: flags, Run: run}
	if status := stage.Execute(c, append([]string{"test"}, args...), strings.NewReader(in), &o, &e); status != 0 {
		t.Fatalf("exit status %d: %s", status, e.String())
	}
	return o.String(), e.String()
}

// The parts of a file that tasks compact are the whole, wherever it is cut; so are
// the totals of what they measure.
func TestPartsAreTheWhole(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 12))
		lines := randomMap(r, 1+r.IntN(300), seed%2 == 1)
		o := CompactOptions{Cutoffs: randomCutoffs(r)}
		if seed%4 == 3 {
			o.Roll = map[string]bool{"pt": true}
		}
		want := strings.Join(compacted(t, lines, o, nil), "\n")
		text := FieldsHeader + "\n" + strings.Join(lines, "\n") + "\n"
		dir := t.TempDir()
		name := filepath.Join(dir, "in")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		parts := 1 + r.IntN(12)
		var list strings.Builder
		for i, from := 0, 0; i < parts; i++ {
			to := from + r.IntN(2*len(text)/parts+1)
			if to > len(text) || i == parts-1 {
				to = -1
			}
			fmt.Fprintf(&list, "%s\t%d\t%d\t%d\n", name, from, to, i)
			if from = to; to < 0 {
				break
			}
		}
		_, said := execute(t, list.String(), nil, func(t *stage.Task) error { return Compact(t, o, true) }, "--output", dir)
		var got []byte
		made, _ := filepath.Glob(filepath.Join(dir, "map", "part-*"))
		for _, part := range made {
			content, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, content...)
		}
		if diff := cmp.Diff(want, strings.TrimSuffix(string(got), "\n")); diff != "" {
			t.Fatalf("seed %d, %d parts:\n%s\n%s", seed, parts, list.String(), diff)
		}
		if !strings.Contains(said, ",keys,"+strconv.Itoa(len(lines))+"\n") {
			t.Fatalf("seed %d: not all keys: %s", seed, said)
		}
		whole, _ := execute(t, text, nil, func(t *stage.Task) error { return MeasureMap(t, o, false) })
		measured, _ := execute(t, list.String(), nil, func(t *stage.Task) error { return MeasureMap(t, o, true) })
		choice := ChooseOptions{Lines: 1 << 40, HostWeight: 1, PathWeight: -1}
		choose := func(t *stage.Task) error { return Choose(t, choice) }
		one, _ := execute(t, whole, nil, choose)
		many, _ := execute(t, measured, nil, choose)
		if diff := cmp.Diff(one, many); diff != "" {
			t.Fatalf("seed %d: chosen:\n%s", seed, diff)
		}
	}
}

// Cases of the folder: options, input, expected output.
func runCases(t *testing.T, pattern string) int {
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			head, rest, _ := strings.Cut(string(content), "--- input\n")
			in, want, _ := strings.Cut(rest, "--- expected\n")
			got, _ := execute(t, in, Flags(true), func(t *stage.Task) error {
				o, err := OptionsOf(t)
				if err != nil {
					return err
				}
				return Compact(t, o, false)
			}, caseOptions(t, head)...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	return len(names)
}

// caseOptions gives the options of a case; those in the public Python tool's names
// are weights (hcf, pcf) and curves (ha, hk, pa, pk).
func caseOptions(t *testing.T, head string) []string {
	_, line, _ := strings.Cut(head, "# options:")
	line, _, _ = strings.Cut(line, "\n")
	curves := map[string]string{"ha": "16.329", "hk": "0.714", "pa": "24.546", "pk": "1.429"}
	var options []string
	for _, word := range strings.Fields(line) {
		name, value, isOld := strings.Cut(word, "=")
		switch {
		case !isOld || strings.HasPrefix(word, "--"):
			options = append(options, word)
		case name == "hcf":
			options = append(options, "--host-weight="+value)
		case name == "pcf":
			options = append(options, "--path-weight="+value)
		case curves[name] != "":
			curves[name] = value
		default:
			t.Fatalf("unknown option %s", word)
		}
	}
	if strings.Contains(line, "ha=") {
		options = append(options, "--host-curve="+curves["ha"]+","+curves["hk"], "--path-curve="+curves["pa"]+","+curves["pk"])
	}
	return options
}

func TestCases(t *testing.T) {
	if runCases(t, "testdata/cases/*.txt") == 0 {
		t.Fatal("no cases")
	}
}

// The public worked examples, where they are there: cases and lookup in the folder
// mementomap beside the real data.
func worked(t *testing.T) string {
	t.Helper()
	if os.Getenv("ARCHIVESTREAM_DATA") == "" {
		t.Skip("ARCHIVESTREAM_DATA is not set: no worked examples")
	}
	dir := filepath.Join(os.Getenv("ARCHIVESTREAM_DATA"), "..", "mementomap")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no worked examples beside the folder of crawl files: %v", err)
	}
	return dir
}

func TestRealCases(t *testing.T) {
	if runCases(t, filepath.Join(worked(t), "cases", "*.txt")) == 0 {
		t.Fatal("no cases")
	}
}

func TestRealLookups(t *testing.T) {
	dir := filepath.Join(worked(t), "lookup")
	content, err := os.ReadFile(filepath.Join(dir, "cases.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		fields := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		got, _ := execute(t, fields[1]+"\n", nil, func(task *stage.Task) error {
			return Lookup(task, filepath.Join(dir, "map"+fields[0]+".ukvs"), false)
		})
		if want := strings.Join([]string{fields[1], fields[3], fields[4]}, "\t") + "\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What is read is written back unchanged.
func TestReadAndWrite(t *testing.T) {
	for name, text := range map[string]string{
		"all of it": `!context ["https://git.io/mementomap"]
!fields {keys: ["surt", "datetime"], values: ["frequency", "other"]}
!id {uri: "https://archive.example/"}
!meta {name: "An archive", year: 1996}
!meta {"more": [1, 2]}
* 1996 54321/20000 x
com,* - 10000+ y {"a": {"b": 1}}
com,example)/a 20200101000000 2500~/900 -
uk,co,bbc)/images/* 2001 300+/20- z
uk,co,bbc)/images/* 2002 0 z
uk,co,bbc)/images/x 2002 /3 z
`,
		"without headers": "com,a) 1\ncom,a)/b 0/0\n",
		"no values":       "!fields {\"keys\": [\"surt\"]}\ncom,a)\n",
		"no end":          "com,a) 1\ncom,b) 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			in := text
			if name == "no end" {
				in = strings.TrimSuffix(text, "\n")
			}
			r, err := NewReader(strings.NewReader(in))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			w := NewWriter(&out)
			for {
				line, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("line %d, %q: %v", r.Number(), line.Raw, err)
				}
				if err := w.Write(line.Raw); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(text, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseLine(t *testing.T) {
	f := Fields{[]string{"surt", "datetime"}, []string{"other", "frequency"}}
	var l Line
	if err := f.Parse([]byte(`com,a) 2020 x 12+/3~ {"a": "b c"}`), &l); err != nil {
		t.Fatal(err)
	}
	got := []string{string(l.Key), string(l.Values), string(l.Object), l.Frequency.String()}
	if diff := cmp.Diff([]string{"com,a) 2020", "x 12+/3~", `{"a": "b c"}`, "12+/3~"}, got); diff != "" {
		t.Error(diff)
	}
	if c := l.Frequency.Captures(); c != (Count{12, LowerBound, true}) {
		t.Errorf("captures %+v", c)
	}
	if c := l.Frequency.URIs(); c != (Count{3, Estimate, true}) {
		t.Errorf("URIs %+v", c)
	}
	for _, line := range []string{"com,a) 2020 x 12 more", "com,a) 2020 x y", "com,a)", " 2020 x 1", "com,a) 2020 x 1 {"} {
		if err := f.Parse([]byte(line), &l); err != ErrMalformed {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func FuzzMap(f *testing.F) {
	f.Add([]byte("!fields {keys: [\"surt\"]}\ncom,a) 1/2+ {}\ncom,a)/* 0\n"))
	f.Add([]byte("com,* 1\ncom,a)/ 3\ncom,a)b)/ 3\ncom,a+b)/!/x 1~\n"))
	f.Add([]byte("* 1\n!a 1\n,* 1\n),* 2\n)/ 3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := NewReader(bytes.NewReader(text))
		if err != nil {
			return
		}
		var lines []string
		c := NewCompactor(CompactOptions{Cutoffs: flat(1)}, func([]byte) error { return nil })
		for {
			line, err := r.Next()
			if err == nil && !line.Header && len(r.Fields().Keys) == 1 && len(r.Fields().Values) == 1 {
				if c.Add(line.Raw) == nil {
					lines = append(lines, string(line.Raw))
				}
			}
			if err != nil && err != ErrMalformed {
				break
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		made := compacted(t, lines, CompactOptions{Cutoffs: flat(1)}, small)
		for i := 1; i < len(made); i++ {
			if made[i-1] > made[i] {
				t.Fatalf("not sorted: %q, %q", made[i-1], made[i])
			}
		}
		if diff := cmp.Diff(made, compacted(t, made, CompactOptions{Cutoffs: flat(1)}, nil)); diff != "" {
			t.Fatalf("not idempotent:\n%s", diff)
		}
	})
}
