// Package jobs holds the job scripts; its tests run them, and the programs that
// they are made of, as users do.
package jobs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// tree is the project's folder.
var tree = func() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// root is that folder, too, or where ARCHIVESTREAM_BIN names a folder of other programs,
// such as those that detect races, one of links to all of it with these.
var root = tree

// TestMain builds the programs once, unless there are others.
func TestMain(m *testing.M) {
	if os.Getenv("PAIRS_ENGINE") != "" { // run by a job, in the place of run-streaming
		root = os.Getenv("PAIRS_ROOT")
		os.Exit(runPair(os.Args[1:]))
	}
	status, err := 0, error(nil)
	if bin := os.Getenv("ARCHIVESTREAM_BIN"); bin != "" {
		if root, err = linked(bin); err == nil {
			status = m.Run()
			os.RemoveAll(root)
		}
	} else {
		build := exec.Command("make", "-s", "-C", root)
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		if err = build.Run(); err == nil {
			status = m.Run()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the programs could not be built:", err)
		status = 1
	}
	os.Exit(status)
}

// linked makes a folder with links to what is in the project's folder, and other programs.
func linked(bin string) (string, error) {
	dir, err := os.MkdirTemp("", "programs")
	if err != nil {
		return "", err
	}
	all, err := os.ReadDir(tree)
	for i := 0; i < len(all) && err == nil; i++ {
		if name := all[i].Name(); name != "bin" {
			err = os.Symlink(filepath.Join(tree, name), filepath.Join(dir, name))
		}
	}
	if err == nil {
		err = os.Symlink(bin, filepath.Join(dir, "bin"))
	}
	return dir, err
}

// tools are the programs of scripts/, which are made once where a test needs them.
var tools = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("make", "-s", "-C", tree, "tools").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("make tools: %w\n%s", err, out)
	}
	return filepath.Join(tree, "build", "tools"), err
})

// tool returns the path of such a program.
func tool(t *testing.T, name string) string {
	t.Helper()
	folder, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, name)
}

// environment lets scripts call programs and jobs by name.
func environment(env *testscript.Env) error {
	made, err := tools()
	if err != nil {
		return err
	}
	env.Setenv("PATH", strings.Join([]string{filepath.Join(root, "bin"), filepath.Join(root, "jobs"), made, env.Getenv("PATH")}, ":"))
	env.Setenv("TESTDATA", filepath.Join(root, "testdata"))
	env.Setenv("HOME", env.WorkDir)
	return nil
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(root, "testdata", "script"),
		Setup:               environment,
		RequireExplicitExec: true,
	})
}
