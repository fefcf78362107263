package jobs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// A streamed is a stage as a job has it run: the arguments of hadoop-streaming.
type streamed struct {
	properties               []string // NAME=VALUE
	inputs                   []string
	output, mapper, reducer  string
	files, format, partition string
}

func readStreamed(args []string) streamed {
	var s streamed
	for i := 0; i+1 < len(args); i += 2 {
		switch value := args[i+1]; args[i] {
		case "-D":
			// The list of the inputs has no URIs, which they are there.
			if !strings.HasPrefix(value, "engine.") && !strings.HasPrefix(value, "stage.inputs=") {
				s.properties = append(s.properties, value)
			}
		case "-input":
			found, _ := filepath.Glob(value)
			for _, name := range found {
				info, err := os.Stat(name)
				if base := filepath.Base(name); base[0] != '_' && base[0] != '.' && err == nil && !info.IsDir() {
					s.inputs = append(s.inputs, name)
				}
			}
		case "-output":
			s.output = value
		case "-mapper":
			s.mapper = value
		case "-reducer":
			s.reducer = value
		case "-files":
			s.files = value
		case "-inputformat":
			s.format = value
		case "-partitioner":
			s.partition = value
		}
	}
	return s
}

// isOfKeys reports whether a property says how lines are keyed and sorted.
func isOfKeys(property string) bool {
	name, _, _ := strings.Cut(property, "=")
	return name == "stream.num.map.output.key.fields" || name == "stream.map.output" || name == "stream.reduce.input" ||
		name == "mapreduce.job.output.key.comparator.class" || name == "mapreduce.partition.keycomparator.options"
}

// pair returns the pair that a stage is of, whose keys are those that the job gives.
func (s *streamed) pair() (stage.Pair, bool) {
	var given []string
	for _, p := range s.properties {
		if isOfKeys(p) {
			given = append(given, p)
		}
	}
	slices.Sort(given)
	for _, p := range stage.Pairs {
		if mapper := firstWord(p.Mapper); firstWord(p.Reducer) != firstWord(s.reducer) || mapper != "" && mapper != firstWord(s.mapper) {
			continue
		} else if mapper == "" && firstWord(s.mapper) != "cat" {
			continue
		}
		if slices.Equal(ofKey(p), given) {
			return p, true
		}
	}
	return stage.Pair{}, false
}

// A pairRun is what became of a stage on Hadoop: its differences from a pipe, and what
// became of it without what its keys need.
type pairRun struct {
	Name    string // MAPPER | REDUCER
	Differs string
	Without string // same, refused, or what it said; empty if it needs nothing
	Failed  string
}

// runPair takes the place of run-streaming: it runs a stage, and then on Hadoop with the
// line of its pair, and in a pipe, once for each pair. It returns an exit status.
func runPair(args []string) int {
	real := exec.Command(os.Getenv("PAIRS_ENGINE"), args...)
	real.Stdin, real.Stdout, real.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := real.Run(); err != nil {
		return 1
	}
	s := readStreamed(args)
	p, ok := s.pair()
	name := firstWord(s.mapper) + " | " + firstWord(s.reducer)
	if only := os.Getenv("PAIRS_ONLY"); !ok || only != "" && !slices.Contains(strings.Split(only, ","), name) {
		return 0
	}
	dir := filepath.Join(os.Getenv("PAIRS_RECORDS"), strings.NewReplacer("/", "%", " ", "").Replace(name+strings.Join(ofKey(p), ",")))
	if os.Mkdir(dir, 0o777) != nil {
		return 0 // another stage of the pair has run
	}
	r := pairRun{Name: name}
	if said, err := s.onHadoop(p.Properties(), filepath.Join(dir, "hadoop")); err != nil {
		r.Failed = fmt.Sprintf("on Hadoop: %v\n%s", err, said)
	} else if said, err := s.inPipe(p.PipeSort(), filepath.Join(dir, "pipe")); err != nil {
		r.Failed = fmt.Sprintf("in a pipe: %v\n%s", err, said)
	} else {
		// Lines of one key come in any order, and what is made of them does too.
		r.Differs = differences(filepath.Join(dir, "pipe"), filepath.Join(dir, "hadoop"), p.Key.Fields == stage.WholeLines)
	}
	if len(ofKey(p)) > 0 && r.Failed == "" && s.reducer != "" {
		kept := slices.DeleteFunc(p.Properties(), isOfKeys)
		said, err := s.onHadoop(kept, filepath.Join(dir, "without"))
		switch {
		case err == nil && differences(filepath.Join(dir, "hadoop"), filepath.Join(dir, "without"), true) == "":
			r.Without = "same"
		case err != nil && strings.Contains(said, "hint: in a pipe it takes"):
			r.Without = "refused"
		case err != nil:
			r.Without = "failed: " + said
		default:
			r.Without = "differs: " + differences(filepath.Join(dir, "hadoop"), filepath.Join(dir, "without"), true)
		}
	}
	content, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "said.json"), content, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// onHadoop runs a stage with the properties of its pair and those of its programs.
func (s *streamed) onHadoop(properties []string, output string) (said string, err error) {
	line := []string{os.Getenv("PAIRS_JAR"), "-D", "textinputformat.record.delimiter=\n", "-D", "mapreduce.input.fileinputformat.split.minsize=1099511627776", "-D", "mapreduce.map.maxattempts=1", "-D", "mapreduce.reduce.maxattempts=1",
		"-D", "mapreduce.map.env.LC_ALL=C.UTF-8", "-D", "mapreduce.reduce.env.LC_ALL=C.UTF-8"}
	for _, p := range properties {
		line = append(line, "-D", p)
	}
	for _, p := range s.properties {
		if !isOfKeys(p) && !strings.HasPrefix(p, "textinputformat") && !slices.Contains(properties, p) {
			line = append(line, "-D", p)
		}
	}
	line = append(line, "-files", s.files)
	if s.format != "" {
		line = append(line, "-inputformat", s.format)
	}
	line = append(line, "-mapper", s.mapper)
	if s.reducer == "" {
		line = append(line, "-numReduceTasks", "0")
	} else {
		line = append(line, "-reducer", s.reducer, "-numReduceTasks", "1")
	}
	if s.partition != "" {
		line = append(line, "-partitioner", s.partition)
	}
	for _, input := range s.inputs {
		line = append(line, "-input", "file://"+input)
	}
	var out bytes.Buffer
	cmd := hadoop(append([]string{"hadoop", "jar"}, append(line, "-output", "file://"+output)...)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if err != nil { // what a task says is in the logs of its container
		for _, word := range strings.Fields(out.String()) {
			if id, ok := strings.CutPrefix(strings.TrimRight(word, ",."), "job_"); ok {
				logs, _ := filepath.Glob(filepath.Join(os.Getenv("PAIRS_LOGS"), "application_"+id, "*", "stderr"))
				for _, name := range logs {
					if content, err := os.ReadFile(name); err == nil && strings.Contains(string(content), ": error: ") {
						return string(content), errors.New("a task has failed")
					}
				}
			}
		}
	}
	return out.String(), err
}

// inPipe runs a stage as MAPPER | SORT | REDUCER: its mapper once for each input.
func (s *streamed) inPipe(sort, output string) (said string, err error) {
	if err := os.Mkdir(output, 0o777); err != nil {
		return "", err
	}
	side := " --output '" + output + "' --rejects '" + output + "/_rejects.tsv'"
	program := func(command string) string {
		if _, err := os.Stat(filepath.Join(root, "bin", firstWord(command))); err != nil {
			return command
		}
		return filepath.Join(root, "bin", command) + side
	}
	script := "for f; do mapreduce_map_input_file=$f " + program(s.mapper) + " <\"$f\" || exit; done"
	if s.reducer == "" {
		script += " >'" + output + "/part-00000'"
	} else {
		script = "{ " + script + "; } | " + sort + " | " + program(s.reducer) + " >'" + output + "/part-00000'"
	}
	cmd := exec.Command("bash", append([]string{"-o", "pipefail", "-c", script, "bash"}, s.inputs...)...)
	cmd.Env = os.Environ()
	for _, p := range s.properties {
		name, value, _ := strings.Cut(p, "=")
		cmd.Env = append(cmd.Env, strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, name)+"="+value)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// differences compares the lines of all parts and the other files of two outputs. An
// engine ends a key without a value in a tab; without a reducer the parts are in no order.
func differences(a, b string, ordered bool) string {
	left, right := outputOf(a, ordered), outputOf(b, ordered)
	var said string
	for name, content := range left {
		if right[name] != content {
			said += fmt.Sprintf("%s: %d and %d bytes:\n%.300s\n---\n%.300s\n", name, len(content), len(right[name]), content, right[name])
		}
	}
	for name := range right {
		if _, ok := left[name]; !ok {
			said += name + ": only there\n"
		}
	}
	return said
}

func outputOf(dir string, ordered bool) map[string]string {
	files := map[string]string{}
	var lines []string
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() || name == "_SUCCESS" || name[0] == '.' || strings.HasPrefix(path, filepath.Join(dir, "_rejects")) {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "part-") && !strings.Contains(name, ".") {
			for line := range strings.Lines(string(content)) {
				lines = append(lines, strings.TrimRight(line, "\t\n"))
			}
			return nil
		}
		files[name] = string(content)
		return nil
	})
	if !ordered {
		slices.Sort(lines)
	}
	files["lines"] = strings.Join(lines, "\n")
	return files
}

// TestHadoopPairs runs the README's jobs and some more, and each of their pairs of
// programs on Hadoop too, with the line that the help of the programs has, once: what
// comes out is what a pipe makes of the same input. Without what the keys need the stage
// fails with a message that has it, or the same comes out. Three pairs are run, and all
// with ARCHIVESTREAM_SLOW=1.
func TestHadoopPairs(t *testing.T) {
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	dir, records := likeRoot(t), t.TempDir()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	replaceStreaming(t, dir, own)
	writePlaces(t, dir)
	jar, err := hadoop("bash", "-c", `printf %s "$HADOOP_STREAMING_JAR"`).Output()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := hadoop("bash", "-c", `printf %s "$HADOOP_HOME/logs/containers"`).Output()
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "PAIRS_ROOT="+root, "PAIRS_LOGS="+string(logs), "PAIRS_RECORDS="+records, "PAIRS_ENGINE="+filepath.Join(root, "bin", "run-streaming"), "PAIRS_JAR="+string(jar))
	commands, _, _ := readme(t)
	commands = slices.Concat(commands, more)
	least := 30
	if os.Getenv("ARCHIVESTREAM_SLOW") == "" {
		least = 3
		environment = append(environment, "PAIRS_ONLY=parse-captures | cut-splits,extract-records | write-tables,span-forest | link-stars")
		commands = []string{
			"jobs/extract.sh --input testdata/captures.cdxj --archives testdata/archives --output extracted --quiet",
			"printf 'a\\tb\\nb\\tc\\nd\\te\\n' >edges.tsv",
			"jobs/components.sh --edges edges.tsv --output rounds --one-task 0 --reducers 1 --quiet",
		}
	}
	for _, command := range commands {
		cmd := exec.Command("bash", "-o", "pipefail", "-c", command)
		cmd.Dir, cmd.Env = dir, environment
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	said, err := filepath.Glob(filepath.Join(records, "*", "said.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range said {
		var r pairRun
		content, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(content, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Failed != "" || r.Differs != "" {
			t.Errorf("%s: not as in a pipe: %s%s", r.Name, r.Failed, r.Differs)
		}
		if r.Without != "" && r.Without != "same" && r.Without != "refused" {
			t.Errorf("%s without what its keys need: %s", r.Name, r.Without)
		}
		t.Logf("%s: without what its keys need: %.20s", r.Name, r.Without)
	}
	if len(said) < least {
		t.Errorf("only %d pairs were run on Hadoop, expected %d", len(said), least)
	}
}
