//go:build unix

package storage

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestCreateKeepsPipes writes into a named pipe in each way: it stays what it is.
func TestCreateKeepsPipes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, create := range []func(string) (Writer, error){Create, CreateData, CreateDirect} {
		got := make(chan string)
		go func() {
			f, err := os.Open(name)
			if err != nil {
				got <- err.Error()
				return
			}
			data, _ := io.ReadAll(f)
			// The next writer must wait for the next reader, so this one closes first.
			f.Close()
			got <- string(data)
		}()
		w, err := create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "line\n")
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if data := <-got; data != "line\n" {
			t.Errorf("%q came out", data)
		}
		if st, err := os.Stat(name); err != nil || st.Mode().Type() != fs.ModeNamedPipe {
			t.Errorf("%v, %v", st, err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(name)); len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}
