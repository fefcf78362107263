// Package jobs holds the job scripts; its tests run them, and the programs that
// they are made of, as users do.
package jobs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// root is the project's folder.
var root = func() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// TestMain builds the programs once.
func TestMain(m *testing.M) {
	build := exec.Command("make", "-s", "-C", root)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "the programs could not be built:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// environment lets scripts call programs and jobs by name.
func environment(env *testscript.Env) error {
	env.Setenv("PATH", filepath.Join(root, "bin")+":"+filepath.Join(root, "jobs")+":"+env.Getenv("PATH"))
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
