package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oracle runs a shell command over text.
func oracle(t *testing.T, text, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin = strings.NewReader(text)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// randomLines are lines of three fields; keys repeat and hold every byte but
// tab and line ends.
func randomLines(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var all strings.Builder
	for i := range n {
		key := make([]byte, 1+r.IntN(3))
		for k := range key {
			for key[k] = '\n'; key[k] == '\n' || key[k] == '\t' || key[k] == '\r'; {
				key[k] = byte(r.IntN(256))
			}
		}
		fmt.Fprintf(&all, "%s\t%d\tv%d\n", key, r.IntN(1000)-500, i)
	}
	return all.String()
}

// Sorted, partitioned and merged as one sort would do it, for any number of
// map tasks and reducers.
func TestAgainstSort(t *testing.T) {
	text := randomLines(1, 5000)
	want := oracle(t, text, "LC_ALL=C sort -s -t '\t' -k1,1")
	for _, maps := range []int{1, 2, 7} {
		b := newBench(t, text)
		b.mustRun("-D", fmt.Sprintf("mapreduce.job.maps=%d", maps), "-mapper", "cat", "-reducer", "cat")
		b.wantOutput(want)
	}
	for _, reduces := range []int{2, 11} {
		b := newBench(t, text)
		b.mustRun("-D", "mapreduce.job.maps=3", "-mapper", "cat", "-reducer", "cat", "-numReduceTasks", fmt.Sprint(reduces))
		for r := range reduces {
			content, err := os.ReadFile(b.path(fmt.Sprintf("out/part-%05d", r)))
			if err != nil {
				t.Fatal(err)
			}
			var mine strings.Builder
			for line := range strings.Lines(want) {
				key, _, _ := strings.Cut(line, "\t")
				if hashPartition([]byte(key), reduces) == r {
					mine.WriteString(line)
				}
			}
			if diff := cmp.Diff(mine.String(), string(content)); diff != "" {
				t.Errorf("reducer %d of %d: %s", r, reduces, diff)
			}
		}
	}
}

func TestSecondarySort(t *testing.T) {
	text := randomLines(2, 3000)
	want := oracle(t, text, "LC_ALL=C sort -s -t '\t' -k1,1 -k2,2nr")
	for _, reduces := range []int{1, 3} {
		b := newBench(t, text)
		b.mustRun("-D", "mapreduce.job.maps=3", "-D", "stream.num.map.output.key.fields=2",
			"-D", "mapreduce.job.output.key.comparator.class="+classComparator,
			"-D", "mapreduce.partition.keycomparator.options=-k1,1 -k2,2nr",
			"-D", "mapreduce.partition.keypartitioner.options=-k1,1",
			"-partitioner", classFields, "-mapper", "cat", "-reducer", "cat", "-numReduceTasks", fmt.Sprint(reduces))
		if got := oracle(t, b.output(), "LC_ALL=C sort -s -t '\t' -k1,1 -k2,2nr"); got != want {
			t.Errorf("%d reducers: lines are lost or out of order", reduces)
		}
		if reduces == 1 {
			b.wantOutput(want)
		}
		seen := map[string]string{}
		for _, part := range b.tree("out") {
			content, _ := os.ReadFile(b.path("out/" + part))
			for line := range strings.Lines(string(content)) {
				key, _, _ := strings.Cut(line, "\t")
				if other, ok := seen[key]; ok && other != part {
					t.Fatalf("key %q in %s and %s", key, other, part)
				}
				seen[key] = part
			}
		}
	}
}

// A line with fewer fields than the key has is all key, and sorts as such.
func TestShortKeys(t *testing.T) {
	b := newBench(t, "a\x01\tx\tv\na\na\t\nb\tc\n\n")
	for _, reduces := range []string{"1", "2"} {
		os.RemoveAll(b.path("out"))
		b.mustRun("-D", "mapreduce.job.maps=1", "-D", "stream.num.map.output.key.fields=2", "-D", "stream.reduce.output=keyonlytext",
			"-partitioner", classFields, "-D", "mapreduce.partition.keypartitioner.options=-k9,9", // all to one
			"-numReduceTasks", reduces, "-mapper", "cat", "-reducer", "cat")
		b.wantOutput("\t\na\t\na\x01\tx\tv\na\t\t\nb\tc\t\n")
	}
}

func TestWholeLineKeys(t *testing.T) {
	text := randomLines(3, 500)
	b := newBench(t, text)
	b.mustRun("-D", "stream.map.output=keyonlytext", "-D", "stream.reduce.input=keyonlytext", "-D", "stream.reduce.output=keyonlytext",
		"-mapper", "cat", "-reducer", "cat")
	b.wantOutput(oracle(t, text, "LC_ALL=C sort"))
}

// A line of any length goes through both phases.
func TestLongLines(t *testing.T) {
	var text strings.Builder
	for i, n := range []int{chunkSize - 3, chunkSize, 3*chunkSize + 1, 5 << 20} {
		fmt.Fprintf(&text, "%d%s\tv\n", i, strings.Repeat("k", n))
		fmt.Fprintf(&text, "%d\t%s\n", i, strings.Repeat("v", n))
	}
	want := oracle(t, text.String(), "LC_ALL=C sort -s -t '\t' -k1,1")
	b := newBench(t, text.String())
	b.mustRun("-D", "mapreduce.job.maps=2", "-mapper", "cat", "-reducer", "cat", "-numReduceTasks", "2")
	if got := oracle(t, b.output(), "LC_ALL=C sort -s -t '\t' -k1,1"); got != want {
		t.Error("lines differ")
	}
}
