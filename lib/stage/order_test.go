package stage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSequence(t *testing.T) {
	one, two, downwards := Order{Fields: 1}, Order{Fields: 2}, Order{Fields: 2, Reversed: true}
	for _, tt := range []struct {
		order Order
		lines []string
		want  string // a part of the error; "": none
	}{
		{Order{}, []string{"b", "a"}, ""},
		{one, []string{"a\t2", "a\t1", "b\t0"}, ""},
		{one, []string{"a\t2", "b\t0", "a\t1"}, `line 3, "a", comes after "b": the lines are not sorted by their first field`},
		{one, []string{"b", "a"}, "line 2"},
		{one, []string{"", "a"}, ""},
		{one, []string{"a", ""}, "line 2"},
		{two, []string{"a\t2\tx", "a\t3\tv", "b\t1"}, ""},
		{two, []string{"a\t2\tx", "a\t1\tv"}, "by their first 2 fields"},
		{two, []string{"a\t1", "a"}, `line 2, "a": expected at least 2 fields`},
		{downwards, []string{"a\t2\tx", "a\t1\tv", "b\t7"}, ""},
		{downwards, []string{"a\t1", "a\t2"}, "the last of them downwards"},
		{downwards, []string{"a\t11", "a\t1"}, ""},
		{downwards, []string{"a\t1", "a\t11"}, "line 2"},
		{wholeLines, []string{"a\t1", "a\t1", "a\t2", "a b\t0"}, ""},
		{wholeLines, []string{"a\t2", "a\t1"}, "by their bytes"},
		// As an engine has them that ends keys in a tab.
		{wholeLines, []string{"a\t", "a\tb\t", "a\tb\tc\t"}, ""},
		// A byte below the tab: as lines, and as keys.
		{one, []string{"a\x01\t1", "a\t1", "ab\t"}, ""},
		{one, []string{"a\t1", "a\x01\t1", "ab\t"}, ""},
		{wholeLines, []string{"a\x01", "a\tb"}, ""},
	} {
		s := sequence{Order: tt.order}
		var err error
		for _, line := range tt.lines {
			if err = s.follows([]byte(line)); err != nil {
				break
			}
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v %q: %v, want %q", tt.order, tt.lines, err, tt.want)
		}
	}
}

// TestOrdersAgree takes lines as a sort of whole lines, of key fields and of keys that
// end in a tab put them, merged of several runs; a change of two that matters is told.
func TestOrdersAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 19))
	for range 2000 {
		var lines []string
		for range 2 + random.IntN(20) {
			var fields []string
			for range 3 {
				fields = append(fields, strings.Repeat([]string{"a", "b", "!", "\x0b", "\u00e9"}[random.IntN(5)], random.IntN(3)))
			}
			lines = append(lines, strings.Join(fields, "\t"))
		}
		n := 1 + random.IntN(3)
		key := func(line string) string { return strings.Join(strings.SplitN(line, "\t", n+1)[:n], "\t") }
		orders := map[Order]func(a, b string) int{
			{Fields: n}:          func(a, b string) int { return strings.Compare(key(a), key(b)) },
			{Fields: WholeLines}: strings.Compare,
		}
		for order, compare := range orders {
			sorted := slices.Clone(lines)
			slices.SortStableFunc(sorted, compare)
			plain := slices.Clone(sorted)
			for i := range sorted {
				if order.Fields == WholeLines && random.IntN(2) == 0 {
					sorted[i] += "\t" // an engine's
				}
			}
			if err := follow(order, sorted); err != nil {
				t.Fatalf("%+v %q: %v", order, sorted, err)
			}
			i := random.IntN(len(sorted) - 1)
			sorted[i], sorted[i+1] = sorted[i+1], sorted[i]
			if compare(plain[i], plain[i+1]) < 0 && order.Fields != WholeLines && follow(order, sorted) == nil {
				t.Fatalf("%+v %q: lines %d and %d are exchanged", order, sorted, i+1, i+2)
			}
		}
	}
}

func follow(order Order, lines []string) error {
	s := sequence{Order: order}
	for _, line := range lines {
		if err := s.follows([]byte(line)); err != nil {
			return err
		}
	}
	return nil
}

// TestOrderIsTold runs a reducer on lines that are not in the order of its pair.
func TestOrderIsTold(t *testing.T) {
	command := Command{Name: "count-pairs", Run: func(task *Task) error {
		for g, err := range task.Groups(2) {
			if err != nil {
				return err
			}
			if err := task.Emit(g.Key); err != nil {
				return err
			}
		}
		return nil
	}}
	var out, errs bytes.Buffer
	status := Execute(command, []string{"count-pairs"}, strings.NewReader("a\tb\t1\na\ta\t1\n"), &out, &errs)
	want := "count-pairs: error: standard input: line 2, \"a\\ta\", comes after \"a\\tb\": the lines are not sorted by their first 2 fields\n" +
		"count-pairs: hint: in a pipe it takes LC_ALL=C sort; on hadoop-streaming -D stream.num.map.output.key.fields=2\n"
	if status != exitFailed || errs.String() != want {
		t.Errorf("status %d, got\n%swant\n%s", status, errs.String(), want)
	}
	command.Name = "top-up-cover"
	errs.Reset()
	status = Execute(command, []string{"top-up-cover"}, strings.NewReader("a\tb\t1\na\tb\t2\n"), &out, &errs)
	want = "top-up-cover: hint: in a pipe it takes LC_ALL=C sort -t $'\\t' -s -k1,1 -k2,2 -k3,3r; on hadoop-streaming -D stream.map.output=keyonlytext" +
		" -D stream.reduce.input=keyonlytext -D mapreduce.partition.keypartitioner.options=-k1,1" +
		" -D mapreduce.job.output.key.comparator.class=org.apache.hadoop.mapred.lib.KeyFieldBasedComparator" +
		" -D 'mapreduce.partition.keycomparator.options=-k1,1 -k2,2 -k3,3r' and -partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner\n"
	if status != exitFailed || !strings.HasSuffix(errs.String(), want) {
		t.Errorf("status %d, got\n%swant the end\n%s", status, errs.String(), want)
	}
}

func TestHelpHasTheLine(t *testing.T) {
	var out, errs bytes.Buffer
	command := Command{Name: "add-counts", Run: func(*Task) error { return fmt.Errorf("ran") }}
	if status := Execute(command, []string{"add-counts", "--help"}, strings.NewReader(""), &out, &errs); status != exitDone {
		t.Fatal(errs.String())
	}
	want := `   hadoop jar hadoop-streaming.jar -D textinputformat.record.delimiter=$'\n' -D stream.num.map.output.key.fields=3` +
		` -D mapreduce.partition.keypartitioner.options=-k1,1 -D stream.num.reduce.output.key.fields=3 -files bin/count-captures,bin/add-counts` +
		` -mapper count-captures -combiner 'add-counts --combine' -reducer add-counts -numReduceTasks 1` +
		` -partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner -input INPUT -output OUTPUT` + "\n"
	if lines := regexp.MustCompile(` \\\n +`).ReplaceAllString(out.String(), " "); !strings.Contains(lines, "\nHADOOP\n"+want) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
