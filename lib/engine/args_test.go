package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What PipeMapRed.splitArgs makes of a command.
func TestSplitCommand(t *testing.T) {
	for command, want := range map[string][]string{
		"cat":                   {"cat"},
		"  cat   -n ":           {"cat", "-n"},
		"sh -c 'a b'":           {"sh", "-c", "a b"},
		`sh -c "a 'b' c"`:       {"sh", "-c", "a 'b' c"},
		`a"b c"d`:               {"a", "b c", "d"},
		"x '' y":                {"x", "y"},
		"x 'open end":           {"x", "open end"},
		"tab\tis no blank":      {"tab\tis", "no", "blank"},
		"grep -k=\"v w\" 'z\"'": {"grep", "-k=", "v w", `z"`},
		"":                      nil,
	} {
		if diff := cmp.Diff(want, splitCommand(command)); diff != "" {
			t.Errorf("%q: %s", command, diff)
		}
	}
}

func TestCommasAndBraces(t *testing.T) {
	if diff := cmp.Diff([]string{"a", "b{c,d}", "e"}, splitCommas("a,b{c,d},e")); diff != "" {
		t.Error(diff)
	}
	for pattern, want := range map[string][]string{
		"plain":         {"plain"},
		"a{b,c}d":       {"abd", "acd"},
		"{a,b}{1,2}":    {"a1", "a2", "b1", "b2"},
		"x{a,b{1,2}}":   {"xa", "xb1", "xb2"},
		"unfinished{a,": {"unfinished{a,"},
		"a}b":           {"a}b"},
		"{}":            {""},
		`a\{b,c\}d`:     {`a\{b,c\}d`},
		`\\{b,c}`:       {`\\b`, `\\c`},
	} {
		if diff := cmp.Diff(want, expandBraces(pattern)); diff != "" {
			t.Errorf("%q: %s", pattern, diff)
		}
	}
}

func TestParseArguments(t *testing.T) {
	own := writeFile(t, t.TempDir()+"/tool", "x")
	a, err := parseArguments([]string{
		"-D", "a.b=c=d", "-Dmapred.map.tasks=3", "-files", own + "," + own + "#other", "-input", "x,y{1,2}", "-input", "z",
		"-output", "o", "-mapper", "m 'a b'", "-reducer", "NONE", "-numReduceTasks", "4", "-cmdenv", "N=v", "--lazyOutput",
		"-partitioner", classFields,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &arguments{
		conf:  conf{"a.b": "c=d", "mapred.map.tasks": "3", keyMaps: "3", keyReduces: "4", keyPartitioner: classFields},
		files: []cacheFile{{own, "tool"}, {own, "other"}}, inputs: []string{"x", "y1", "y2", "z"}, output: "o",
		mapper: "m 'a b'", reducer: "NONE", environment: []string{"N=v"}, lazyOutput: true,
	}
	if diff := cmp.Diff(want, a, cmp.AllowUnexported(arguments{}, cacheFile{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

// Every one of these is a usage error that names its cause.
func TestUsageErrors(t *testing.T) {
	in := writeFile(t, t.TempDir()+"/in", "x\n")
	base := []string{"-input", in, "-output", t.TempDir() + "/out", "-mapper", "cat"}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-nonsense", "x"}, `unknown option "-nonsense"`},
		{[]string{"word"}, `unknown option "word"`},
		{[]string{"-input"}, "needs a value"},
		{[]string{"-D", "novalue"}, "key=value"},
		{[]string{"-libjars", "x.jar"}, "-libjars is not supported"},
		{[]string{"-cmdenv", "A=b c"}, "spaces"},
		{[]string{"-inputformat", "org.apache.hadoop.mapred.SequenceFileInputFormat"}, "SequenceFileInputFormat is not supported"},
		{[]string{"-partitioner", "org.apache.hadoop.mapred.lib.TotalOrderPartitioner"}, "TotalOrderPartitioner is not supported"},
		{[]string{"-outputformat", "x.Y"}, "x.Y is not supported"},
		{[]string{"-mapper", "org.apache.hadoop.mapred.lib.IdentityMapper"}, "Java class"},
		{[]string{"-numReduceTasks", "many"}, "not an integer"},
		{[]string{"-numReduceTasks", "-1"}, "not within"},
		{[]string{"-D", "mapreduce.map.speculative=maybe"}, "neither true nor false"},
		{[]string{"-D", "dfs.blocksize=12x"}, "not a size"},
		{[]string{"-D", "stream.map.output=rawbytes"}, "rawbytes: not supported"},
		{[]string{"-D", "stream.map.output=keyonlytext"}, "differ"},
		{[]string{"-D", "stream.map.output.field.separator=,"}, "only the tab"},
		{[]string{"-D", "textinputformat.record.delimiter=;"}, "only the line feed"},
		{[]string{"-D", keyComparator + "=x.Y"}, "x.Y: not supported"},
		{[]string{"-D", keyCompress + "=true"}, "compressed text output"},
		{[]string{"-output", "hdfs://host/x"}, "this machine only"},
		{[]string{"-partitioner", classFields, "-D", keyPartitionOpts + "=-kx"}, "no field number"},
	} {
		var stderr strings.Builder
		status := Run(t.Context(), genericFirst(slices.Concat(base, test.args)), &stderr, &stderr)
		if status != 2 || !strings.Contains(stderr.String(), test.want) || !strings.HasPrefix(stderr.String(), "run-streaming: error: ") {
			t.Errorf("%v: status %d, %q; want 2, %q", test.args, status, stderr.String(), test.want)
		}
	}
	var late strings.Builder
	if status := Run(t.Context(), slices.Concat(base, []string{"-D", "a=b"}), &late, &late); status != 2 || !strings.Contains(late.String(), "-D stands behind -") {
		t.Errorf("a generic option behind others: status %d, %q", status, late.String())
	}
	for _, missing := range []string{"-input", "-output", "-mapper"} {
		var args []string
		for i := 0; i < len(base); i += 2 {
			if base[i] != missing {
				args = append(args, base[i:i+2]...)
			}
		}
		var stderr strings.Builder
		if status := Run(t.Context(), args, &stderr, &stderr); status != 2 || !strings.Contains(stderr.String(), missing+" is missing") {
			t.Errorf("without %s: status %d, %q", missing, status, stderr.String())
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "64m": 64 << 20, "2K": 2048, "1g": 1 << 30, "": 7} {
		c := conf{}
		if text != "" {
			c[keyBlockSize] = text
		}
		if got, err := c.size(keyBlockSize, 7); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	f.Add(`sh -c "a 'b' c" x`)
	f.Fuzz(func(t *testing.T, command string) {
		words := splitCommand(command)
		for _, w := range words {
			if w == "" || !strings.Contains(command, w) {
				t.Errorf("%q gives the word %q", command, w)
			}
		}
		if len(words) == 0 && strings.Trim(command, ` '"`) != "" {
			t.Errorf("%q gives no word", command)
		}
	})
}

func FuzzParseCounter(f *testing.F) {
	f.Add("g,n,1")
	f.Add(" g,n,-1 ")
	f.Fuzz(func(t *testing.T, text string) {
		group, name, _, ok := parseCounter(text)
		if ok && (strings.Contains(group+name, ",") || strings.Count(text, ",") != 2) {
			t.Errorf("%q gives %q, %q", text, group, name)
		}
	})
}
