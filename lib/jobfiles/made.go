package jobfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"archivestream/lib/storage"
)

// made is what a job has made: of each name in its output the number of files, 1 for a
// file. What the job itself writes last is left out. It is in _job.json, and before
// that in the work folder as soon as a part of it can be in its place: so that nobody
// else's files go with an output that is replaced.
type made map[string]int

// keepMade writes down what the job will publish. One that goes on with a publication
// finds only a part of that, and keeps what is written.
func (e *ending) keepMade() error {
	name := storage.Join(e.work, publishingName)
	if m, err := readMade(e.work); err != nil || m != nil {
		e.made = m
		return err
	}
	e.made = made{}
	for _, stage := range append(slices.Clone(e.options["publish"]), putName) {
		from, into := e.published(stage)
		entries, err := storage.List(from)
		if errors.Is(err, fs.ErrNotExist) && stage == putName {
			continue
		}
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if !goesOut(entry) {
				continue
			}
			n, err := countFiles(entry)
			if err != nil {
				return err
			}
			top, _, _ := strings.Cut(strings.TrimPrefix(storage.Join(into, entry.Name()), e.place+"/"), "/")
			e.made[top] += n
		}
	}
	return e.write(name, func(w io.Writer) error {
		for _, name := range e.made.names() {
			if _, err := fmt.Fprintf(w, "%s\t%d\n", name, e.made[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m made) names() []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// readMade reads what a job was about to publish; nil where it was not so far.
func readMade(work string) (made, error) {
	content, err := readAll(storage.Join(work, publishingName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := made{}
	for line := range bytes.Lines(content) {
		name, count, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), "\t")
		n, err := strconv.Atoi(count)
		if err != nil {
			return nil, fmt.Errorf("%s: no name and number: %q", storage.Join(work, publishingName), line)
		}
		m[name] = n
	}
	return m, nil
}

// countFiles counts the files in what a folder holds.
func countFiles(entry storage.Info) (int, error) {
	if !entry.IsDir {
		return 1, nil
	}
	entries, err := storage.List(entry.Path)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range entries {
		more, err := countFiles(e)
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n, nil
}

// foreign returns the first name in an output that holds more than its job has made.
// Of one that was made by an older version that is not known: archive files in it are
// taken for somebody's.
func foreign(dir string, entries []storage.Info) (string, error) {
	d, err := readDescription(dir)
	if err != nil {
		return "", err
	}
	m := d.Made
	if m == nil {
		if m, err = readMade(storage.Join(dir, workName)); err != nil {
			return "", err
		}
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == descriptionName || name == rejectsName || name == successName || name == workName || strings.HasPrefix(name, lockPrefix):
		case m == nil && d.Job != "":
			if archive, err := findArchive(e); err != nil || archive != "" {
				return archive, err
			}
		default:
			n, err := countFiles(e)
			if err != nil {
				return "", err
			}
			if n > m[strings.ToValidUTF8(name, "\ufffd")] {
				return e.Path, nil
			}
		}
	}
	return "", nil
}

func findArchive(entry storage.Info) (string, error) {
	if !entry.IsDir {
		name := strings.TrimSuffix(strings.ToLower(entry.Name()), ".gz")
		if strings.HasSuffix(name, ".arc") || strings.HasSuffix(name, ".warc") {
			return entry.Path, nil
		}
		return "", nil
	}
	entries, err := storage.List(entry.Path)
	for _, e := range entries {
		if archive, err := findArchive(e); err != nil || archive != "" {
			return archive, err
		}
	}
	return "", err
}
