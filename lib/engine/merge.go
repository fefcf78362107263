package engine

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// mergeFiles is how many sorted files GNU sort merges in one pass; more are
// merged in several.
const mergeFiles = 256

// merged reads the sorted lines of one reducer from the files of all map
// tasks. Lines with equal keys come in the order of the files.
type merged struct {
	io.Reader
	file  *os.File
	merge *sortProcess
}

// openMerged opens the files; the reader of none is empty.
func openMerged(ctx context.Context, s *spawner, o order, files []string, temporary string) (*merged, error) {
	switch len(files) {
	case 0:
		return &merged{Reader: strings.NewReader("")}, nil
	case 1:
		f, err := os.Open(files[0])
		return &merged{Reader: f, file: f}, err
	}
	args := append(o.arguments(0, temporary), "-m",
		fmt.Sprintf("--batch-size=%d", min(len(files), mergeFiles)), "--files0-from=-")
	cmd := sortCommand(args...)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\x00") + "\x00")
	p, err := startSort(ctx, s, cmd, true, false)
	if err != nil {
		return nil, err
	}
	return &merged{Reader: p.out, merge: p}, nil
}

// close ends the merge; complete says that everything was read.
func (m *merged) close(complete bool) error {
	switch {
	case m.file != nil:
		return m.file.Close()
	case m.merge == nil:
		return nil
	case complete:
		return m.merge.wait()
	}
	return m.merge.fail(nil)
}

// checkSort says early that there is no sort.
func checkSort() error {
	if _, err := exec.LookPath("sort"); err != nil {
		return withHint(fmt.Errorf("sort: %w", err), "GNU sort (coreutils) must be on the PATH")
	}
	return nil
}
