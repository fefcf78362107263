package jobfiles

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRejectsOfAllTasks puts together what tasks have kept and what they have left out,
// with and without room for all.
func TestRejectsOfAllTasks(t *testing.T) {
	for keep, want := range map[string]string{
		"":  "one\tbad\ta\none\tbad\tz\ntwo\toffset 7: \"x\"\tc\ntwo\tworse\tb\ntwo\toffset N: \"…\"\t\t1000\n",
		"2": "one\tbad\ta\none\tbad\tz\ntwo\toffset N: \"…\"\t\t1001\ntwo\tworse\t\t1\n",
		"0": "one\tbad\t\t2\ntwo\toffset N: \"…\"\t\t1001\ntwo\tworse\t\t1\n",
	} {
		output, ending := job(t)
		work := output + "/" + workName
		write(t, work+"/two/_rejects/m-00001", "two\toffset 7: \"x\"\tc\ntwo\toffset N: \"…\"\t\t600\n")
		write(t, work+"/two/_rejects/m-00002", "two\toffset N: \"…\"\t\t400\n")
		call(t, 0, append(ending, "keep-rejects="+keep)...)
		got := tree(t, output)
		if diff := cmp.Diff(want, got[rejectsName]); diff != "" {
			t.Errorf("keep %q: %s", keep, diff)
		}
		if want := "reasons:[map[count:1001 reason:offset N: \"…\" stage:two] map[count:2 reason:bad stage:one] map[count:1 reason:worse stage:two]]"; !strings.Contains(got[descriptionName], want) {
			t.Errorf("keep %q: no %s in %s", keep, want, got[descriptionName])
		}
	}
}

// TestNothingUsed ends jobs that could use nothing of their input.
func TestNothingUsed(t *testing.T) {
	output, ending := job(t)
	_, said := call(t, 1, append(ending, "used=0")...)
	want := "try.sh: error: nothing of the input could be used: 3 rejected; 2 by one: bad; 1 by two: worse\n" +
		"try.sh: hint: the rejects are in " + output + "/_work/_rejects.tsv\n"
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	got := tree(t, output)
	if _, there := got[successName]; there || got["result.txt"] != "" {
		t.Errorf("something was published: %v", got)
	}
	if want := "one\tbad\ta\none\tbad\tz\ntwo\tworse\tb\n"; got["_work/_rejects.tsv"] != want {
		t.Errorf("rejects %q", got["_work/_rejects.tsv"])
	}
	// With --resume the stages that have rejected are done again, and no others.
	for _, stage := range []string{"one", "two"} {
		if _, there := got["_work/"+stage+".done"]; there {
			t.Errorf("stage %s is not done again", stage)
		}
	}
	_, ending = job(t)
	_, said = call(t, 1, append(ending, "used=0", "looked=and said")...)
	if !strings.Contains(said, "1 by two: worse; and said\n") {
		t.Errorf("said %q", said)
	}
	_, ending = job(t)
	call(t, 0, append(ending, "used=1")...)
}
