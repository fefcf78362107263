package jobfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"archivestream/lib/storage"
)

// A sparing finds what an output must be spared for, because the job reads it.
type sparing struct {
	output  string
	final   *storage.Folder
	earlier []*storage.Folder
}

// newSparing returns why an output must not be replaced, as far as that can be seen
// without the inputs, or what finds those that lie in it; that is nil where nothing is
// there yet. What a job adds to, an earlier result of a job of the same name, may be
// replaced: it is a part of what takes its place.
func (f folders) newSparing(o options) (*sparing, error) {
	there, err := storage.Exists(f.final)
	if err != nil || !there {
		return nil, err
	}
	if err := f.spareNeighbours(o["only"]); err != nil {
		return nil, err
	}
	final, err := storage.NewFolder(f.final)
	if err != nil {
		return nil, err
	}
	s := &sparing{output: f.output, final: final}
	d, err := readDescription(f.final)
	if err != nil {
		return nil, err
	}
	paths := o["reads"]
	for _, p := range o["earlier"] {
		if d.Job != strings.TrimSuffix(o.text("job"), ".sh") {
			paths = append(paths, p)
			continue
		}
		folder, err := storage.NewFolder(p)
		if err != nil {
			return nil, err
		}
		s.earlier = append(s.earlier, folder)
	}
	for _, p := range paths {
		if err := s.check(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// checkGiven returns why the output must not be replaced, by the paths of the inputs as
// the user gave them. What is wrong with a path else, gather tells.
func (s *sparing) checkGiven(paths []string) error {
	var f *failure
	for _, p := range paths {
		if err := s.check(p); errors.As(err, &f) {
			return err
		}
	}
	return nil
}

// checkFound returns the same by the lines of the files that were found.
func (s *sparing) checkFound(list []byte) error {
	for line := range bytes.Lines(list) {
		p, _, _ := bytes.Cut(line, []byte("\t"))
		if err := s.check(string(p)); err != nil {
			return err
		}
	}
	return nil
}

// check returns why the output must not be replaced, if a path leads into it, by
// whatever way.
func (s *sparing) check(name string) error {
	if s == nil {
		return nil
	}
	inside, err := s.final.Holds(name)
	if err != nil || !inside {
		return err
	}
	for _, e := range s.earlier {
		if inside, err := e.Holds(name); err != nil || inside {
			return err
		}
	}
	return &failure{message: fmt.Sprintf("the input %s lies in the output folder %s, which --force would replace", name, s.output),
		hint: "choose another output folder", status: statusUsage}
}

// spareNeighbours returns why an output must not be replaced that has more than the
// folders of these names where they lie: what is beside them is of another job.
func (f folders) spareNeighbours(names []string) error {
	for _, name := range names {
		i := strings.LastIndexByte(name, '/')
		entries, err := storage.List(storage.Join(f.final, name[:i+1]))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if e.Name() != name[i+1:] {
				return &failure{message: fmt.Sprintf("the output folder %s holds %s, which this job would not make again", f.output, name[:i+1]+e.Name()),
					hint: "choose another output folder", status: statusUsage}
			}
		}
	}
	return nil
}
