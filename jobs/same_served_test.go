package jobs

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// servedStages are the programs that most cases run: a process for each run would cost
// more than what it does. Some cases run the programs themselves.
var servedStages = []string{"mappers/index-archives", "mappers/filter-captures", "reducers/pick-captures", "mappers/find-originals",
	"reducers/resolve-revisits", "mappers/enrich-captures"}

// serving is the main package of a program that runs stages one after the other, as they
// are asked for; started with arguments it is enrich-captures, which starts itself.
const serving = `package main

import (
	"bytes"
	"encoding/gob"
	"os"

	"archivestream/lib/stage"
IMPORTS)

var commands = map[string]func() stage.Command{
COMMANDS}

func main() {
	if len(os.Args) > 1 {
		stage.Main(commands["enrich-captures"]())
	}
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var asked struct {
			Args []string
			In   []byte
		}
		if in.Decode(&asked) != nil {
			return
		}
		var answer struct {
			Status   int
			Out, Err []byte
		}
		var stdout, stderr bytes.Buffer
		answer.Status = stage.Execute(commands[asked.Args[0]](), asked.Args, bytes.NewReader(asked.In), &stdout, &stderr)
		answer.Out, answer.Err = stdout.Bytes(), stderr.Bytes()
		if out.Encode(answer) != nil {
			return
		}
	}
}
`

var mainPackage = regexp.MustCompile(`(?m)^package main$`)

// buildServer builds that program, of files that lie nowhere in the tree.
func (s *same) buildServer() string {
	s.Helper()
	if program := os.Getenv("ARCHIVESTREAM_SAME_SERVED"); program != "" {
		return program // built by an earlier run
	}
	dir := s.TempDir()
	replaced := map[string]string{}
	put := func(name, content string) {
		path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			s.Fatal(err)
		}
		replaced[filepath.Join(tree, "build", "served", name)] = path
	}
	imports, commands := "", ""
	for _, stage := range servedStages {
		name := filepath.Base(stage)
		pack := "p_" + strings.ReplaceAll(name, "-", "_")
		files, err := filepath.Glob(filepath.Join(tree, stage, "*.go"))
		if err != nil || len(files) == 0 {
			s.Fatalf("%s: no files, %v", stage, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				s.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") {
				put(pack+"/"+filepath.Base(file), mainPackage.ReplaceAllString(string(content), "package "+pack))
			}
		}
		put(pack+"/served.go", "package "+pack+"\n\nimport \"archivestream/lib/stage\"\n\nfunc Command() stage.Command { return command }\n")
		imports += fmt.Sprintf("\t%q\n", "archivestream/build/served/"+pack)
		commands += fmt.Sprintf("\t%q: %s.Command,\n", name, pack)
	}
	put("main.go", strings.NewReplacer("IMPORTS", imports, "COMMANDS", commands).Replace(serving))
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		s.Fatal(err)
	}
	list, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "served")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		s.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", list, "-buildvcs=false", "-tags", "urfave_cli_no_docs", "-o", program, "./build/served")
	if raceDetector {
		build.Args = append(build.Args[:2], append([]string{"-race", "-gcflags=github.com/parquet-go/...=-d=checkptr=0"}, build.Args[2:]...)...)
	}
	build.Dir = tree
	if out, err := build.CombinedOutput(); err != nil {
		s.Fatalf("%v: %s", err, out)
	}
	return program
}

// A server is a process that runs stages.
type server struct {
	*exec.Cmd
	in   io.WriteCloser
	ask  *gob.Encoder
	take *gob.Decoder
	errs bytes.Buffer
}

// servers are those that nobody uses at present, by their environment.
type servers struct {
	program string
	mu      sync.Mutex
	idle    map[string][]*server
}

func (v *servers) get(env []string) (*server, error) {
	key := strings.Join(env, " ")
	v.mu.Lock()
	defer v.mu.Unlock()
	if n := len(v.idle[key]); n > 0 {
		s := v.idle[key][n-1]
		v.idle[key] = v.idle[key][:n-1]
		return s, nil
	}
	s := &server{Cmd: exec.Command(v.program)}
	s.Env = append(os.Environ(), env...)
	s.Stderr = &s.errs
	out, err := s.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if s.in, err = s.StdinPipe(); err != nil {
		return nil, err
	}
	s.ask, s.take = gob.NewEncoder(s.in), gob.NewDecoder(out)
	return s, s.Start()
}

func (v *servers) put(env []string, s *server) {
	v.mu.Lock()
	v.idle[strings.Join(env, " ")] = append(v.idle[strings.Join(env, " ")], s)
	v.mu.Unlock()
}

// close ends all servers. What the race detector said of one is an error.
func (v *servers) close() error {
	var failed error
	for _, all := range v.idle {
		for _, s := range all {
			s.in.Close()
			if err := s.Wait(); err != nil {
				failed = fmt.Errorf("a server of stages: %w: %s", err, s.errs.String())
			}
		}
	}
	return failed
}

// run runs a stage, and says how it ended.
func (v *servers) run(env []string, in []byte, args []string) (status int, out, errs string, err error) {
	s, err := v.get(env)
	if err != nil {
		return 0, "", "", err
	}
	asked := struct {
		Args []string
		In   []byte
	}{args, in}
	var answer struct {
		Status   int
		Out, Err []byte
	}
	if err = s.ask.Encode(asked); err == nil {
		err = s.take.Decode(&answer)
	}
	if err != nil {
		s.in.Close()
		return 0, "", "", fmt.Errorf("%q: %w: %v: %s", args, err, s.Wait(), s.errs.String())
	}
	v.put(env, s)
	return answer.Status, string(answer.Out), string(answer.Err), nil
}
