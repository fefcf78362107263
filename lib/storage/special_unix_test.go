//go:build unix

package storage

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
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

// TestPipesAreNoFiles opens and lists a named pipe that nobody writes to, which would
// wait for ever, and reads one that somebody writes to.
func TestPipesAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := Open(name)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, ErrPipe) || !Lasting(err) {
			t.Errorf("opened: %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it is still being opened")
	}
	for _, pattern := range []string{dir, dir + "/*"} {
		var told []Info
		files, err := ExpandTelling(pattern, func(i Info) { told = append(told, i) })
		if err != nil || len(files) != 1 || files[0].Name() != "file" || len(told) != 1 || told[0].Name() != "pipe" {
			t.Errorf("%s: %v, %v, %v", pattern, files, told, err)
		}
	}
	if files, err := Expand(name); err != nil || len(files) != 1 || !files[0].IsPipe {
		t.Errorf("%v, %v", files, err)
	}
	go os.WriteFile(name, []byte("line\n"), 0o666)
	in, err := OpenStream(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if data, err := io.ReadAll(in); string(data) != "line\n" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := Open("/dev/null"); !errors.Is(err, ErrPipe) {
		t.Errorf("a device: %v", err)
	}
}
