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
	"strings"
	"sync"
)

// serving is the main package of a program that runs stages one after the other, as they
// are asked for; started with arguments it is enrich-captures, which starts itself. Most
// cases use it: a process for each run would cost more than what it does.
const serving = `package main

import (
	"bytes"
	"encoding/gob"
	"os"

	"archivestream/lib/stage"
	"archivestream/lib/suite"
)

func main() {
	if len(os.Args) > 1 {
		os.Exit(suite.Main(append([]string{"enrich-captures"}, os.Args[1:]...)))
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
		program, _ := suite.Find(asked.Args[0])
		answer.Status = stage.Execute(program.Command(), asked.Args, bytes.NewReader(asked.In), &stdout, &stderr)
		answer.Out, answer.Err = stdout.Bytes(), stderr.Bytes()
		if out.Encode(answer) != nil {
			return
		}
	}
}
`

// buildServer builds that program, of a file that lies nowhere in the tree.
func (s *same) buildServer() string {
	s.Helper()
	if program := os.Getenv("ARCHIVESTREAM_SAME_SERVED"); program != "" {
		return program // built by an earlier run
	}
	dir := s.TempDir()
	source, list, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "served")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(tree, "build", "served", "main.go"): source}})
	if err != nil {
		s.Fatal(err)
	}
	for name, content := range map[string][]byte{source: []byte(serving), list: overlay} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			s.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-overlay", list, "-trimpath", "-buildvcs=false", "-tags", "urfave_cli_no_docs", "-o", program, "./build/served")
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
