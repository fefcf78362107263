package derive

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"archivestream/lib/inputs"
	"archivestream/lib/stage"
)

// The derivatives.
const (
	WAT   = "wat"
	WET   = "wet"
	META  = "meta"
	CDXJ  = "cdxj"
	Links = "links"
)

var kinds = []string{WAT, WET, META, CDXJ, Links}

// Options say what is made of archive files.
type Options struct {
	Make       []string  // some of WAT, WET, META, CDXJ, Links
	Emit       bool      // index lines are the stage's output
	Date       time.Time // of the derivatives; zero: that of each file's first record
	Workers    int       // goroutines that compress
	RelativeTo string    // folder or URI that the index names archives relative to; empty: by their last element
}

func (o Options) has(kind string) bool { return slices.Contains(o.Make, kind) }

// ParseKinds takes a list of derivatives, separated by commas.
func ParseKinds(list string) ([]string, error) {
	made := strings.Split(list, ",")
	for _, kind := range made {
		if !slices.Contains(kinds, kind) {
			return nil, fmt.Errorf("%q cannot be made: %s", kind, strings.Join(kinds, ", "))
		}
	}
	return made, nil
}

// Archives is the mapper that makes derivatives of archive files. Its input lines are
// their paths or URIs; after a tab may follow the path that the file has in a dataset,
// DIR/warc/NAME: then its derivatives are side files in DIR/wat and so on, and the index
// has that path; after another tab what their names begin with, instead of the file's
// name without .gz. Each file is read once; what is damaged is rejected with its
// offset, a file that cannot be read with the reason.
func Archives(t *stage.Task, o Options) error {
	p := newPress(max(1, o.Workers))
	defer p.close()
	d := newDeriver(t, p, o)
	made := map[string]bool{}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		t.Status("reading %s", line)
		a := newArchive(string(line), o.RelativeTo)
		if !utf8.ValidString(a.indexed) {
			if err := t.Reject("the name of the archive file is not UTF-8", []byte(a.path)); err != nil {
				return err
			}
			continue
		}
		key := a.folder + a.stem
		if made[key] {
			return stage.Hint(fmt.Errorf("two archives have derivatives called %s", a.stem), "make derivatives of each in a job of its own")
		}
		made[key] = true
		if err := d.file(a); err != nil {
			return err
		}
	}
	return nil
}

// newArchive takes an input line: the path of an archive file, after a tab the path
// that it has in a dataset, if it is to have one, and after another what the names of
// its derivatives begin with, if that is not its name without .gz.
func newArchive(line, relativeTo string) *archive {
	from, rest, inDataset := strings.Cut(line, "\t")
	published, stem, _ := strings.Cut(rest, "\t")
	a := &archive{path: from, name: path.Base(from), indexed: path.Base(from)}
	switch base := strings.TrimRight(relativeTo, "/") + "/"; {
	case inDataset && published != "":
		// DIR/warc/NAME has its derivatives in DIR/wat and so on.
		a.name, a.indexed = path.Base(published), published
		a.folder = strings.TrimPrefix(path.Dir(path.Dir(path.Clean("/"+published)))+"/", "/")
	case relativeTo != "" && strings.HasPrefix(from, base):
		a.indexed = strings.TrimLeft(from[len(base):], "/")
	}
	if a.stem = stem; stem == "" {
		a.stem = strings.TrimSuffix(a.name, ".gz")
	}
	return a
}

func newDeriver(t *stage.Task, p *press, o Options) *deriver {
	d := &deriver{task: t, date: o.Date, record: newRecord()}
	file := func(kind string) recordFile { return recordFile{task: t, press: p, kind: kind} }
	if o.has(WAT) {
		d.makers = append(d.makers, &watMaker{recordFile: file(WAT)})
	}
	if o.has(WET) {
		d.makers = append(d.makers, &wetMaker{file(WET)})
	}
	if o.has(META) {
		d.makers = append(d.makers, &metaMaker{recordFile: file(META)})
	}
	if o.has(CDXJ) || o.Emit {
		d.makers = append(d.makers, newCaptureMaker(d, o))
	}
	if o.has(Links) {
		d.makers = append(d.makers, &linkMaker{recordFile: file(Links), counter: newLinkCounter()})
	}
	d.record.want = pageParts
	return d
}

// file reads an archive file. An error is one of writing.
func (d *deriver) file(a *archive) error {
	f, err := inputs.OpenArchive(a.path)
	if err != nil {
		return d.task.Reject(err.Error(), []byte(a.path))
	}
	defer f.Close()
	err = d.archive(f, f.Size(), a)
	var failed *outputError
	if err != nil && !errors.As(err, &failed) {
		// What has been made is not of the whole file.
		return errors.Join(d.close(a, false), d.task.Reject(err.Error(), []byte(a.path)))
	}
	d.task.Count("archives", 1)
	return errors.Join(err, d.close(a, err == nil))
}
