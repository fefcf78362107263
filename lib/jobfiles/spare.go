package jobfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"archivestream/lib/storage"
)

// spare returns why an output must not be replaced: something that the job reads lies
// in it, however the path leads there. What a job adds to, an earlier result of a job
// of the same name, may be replaced: it is a part of what takes its place.
func (f folders) spare(o options, inputs []byte) error {
	there, err := storage.Exists(f.final)
	if err != nil || !there {
		return err
	}
	if err := f.spareNeighbours(o["only"]); err != nil {
		return err
	}
	final, err := storage.NewFolder(f.final)
	if err != nil {
		return err
	}
	var earlier []*storage.Folder
	d, err := readDescription(f.final)
	if err != nil {
		return err
	}
	paths := o["reads"]
	for _, p := range o["earlier"] {
		if d.Job != strings.TrimSuffix(o.text("job"), ".sh") {
			paths = append(paths, p)
			continue
		}
		folder, err := storage.NewFolder(p)
		if err != nil {
			return err
		}
		earlier = append(earlier, folder)
	}
	for line := range bytes.Lines(inputs) {
		p, _, _ := bytes.Cut(line, []byte("\t"))
		paths = append(paths, string(p))
	}
	for _, p := range paths {
		if err := f.spareOne(final, earlier, p); err != nil {
			return err
		}
	}
	return nil
}

func (f folders) spareOne(final *storage.Folder, earlier []*storage.Folder, name string) error {
	inside, err := final.Holds(name)
	if err != nil || !inside {
		return err
	}
	for _, e := range earlier {
		if inside, err := e.Holds(name); err != nil || inside {
			return err
		}
	}
	return &failure{message: fmt.Sprintf("the input %s lies in the output folder %s, which --force would replace", name, f.output),
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
