package jobfiles

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"archivestream/lib/storage"
)

// pipesName is the folder in a job's work folder that keeps what came out of pipes.
const pipesName = "pipes"

// spool reads the pipes, once: an engine reads an input as often as it likes, in parts.
// What came out of one is a file of the work folder, named by its content, so that
// a job that is resumed knows it again.
func (g *gathering) spool(work string) error {
	for i, p := range g.parts {
		if !p.piped {
			continue
		}
		f, err := spoolPipe(p.path, storage.Join(work, fmt.Sprintf("%s/%d", pipesName, i)))
		if err != nil {
			return fmt.Errorf("%s %s: %w", p.option, p.path, err)
		}
		if f.Size == 0 {
			return &failure{message: fmt.Sprintf("%s %s: nothing came out of the pipe", p.option, p.path), hint: "has the command that writes to it failed?"}
		}
		wrong, err := g.look(p.source, f)
		if err != nil {
			return err
		}
		if wrong != nil {
			wrong.message = fmt.Sprintf("%s %s: %s", p.option, p.path, wrong.message)
			return wrong
		}
		p.files = append(p.files, *f)
	}
	return nil
}

// spoolPipe copies what a pipe holds into a file whose name begins with that.
func spoolPipe(pipe, name string) (*inputFile, error) {
	w, err := storage.CreateData(name)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	var head headKeeper
	if _, err := storage.Copy(io.MultiWriter(w, h, &head), pipe); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	kept := fmt.Sprintf("%s-%x", name, h.Sum(nil)[:8])
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		kept += ".gz"
	}
	there, err := storage.Exists(kept)
	switch {
	case err != nil:
	case there:
		err = storage.RemoveAll(name) // an interrupted job has had the same
	default:
		err = storage.Rename(name, kept)
	}
	if err != nil {
		return nil, err
	}
	info, err := storage.Stat(kept)
	return &inputFile{Info: info}, err
}

// A headKeeper keeps the first bytes that are written to it.
type headKeeper []byte

func (h *headKeeper) Write(p []byte) (int, error) {
	*h = append(*h, p[:min(len(p), 2-min(2, len(*h)))]...)
	return len(p), nil
}
