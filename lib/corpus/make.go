package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"archivestream/lib/warc"
)

// Options say what a corpus is made of.
type Options struct {
	Records  int    `json:"records"` // captures
	Seed     uint64 `json:"seed"`
	Files    int    `json:"files"`     // archives, with about as many captures each; 0: by FileSize
	FileSize int64  `json:"file_size"` // of an archive in bytes, if Files is 0
	Hosts    int    `json:"hosts"`
	Format   string `json:"format"` // warc, arc or both
	Compress bool   `json:"compress"`
	MinSize  int    `json:"min_size"` // of a payload in bytes; redirects are smaller
	MaxSize  int    `json:"max_size"`
	Requests bool   `json:"requests"` // with request records, in WARC
	Lists    bool   `json:"lists"`    // make the lists beside the archives
	Pick     int    `json:"pick"`     // captures in the random choice
}

// Totals are the counts of a corpus.
type Totals struct {
	Archives  int   `json:"archives"`
	Bytes     int64 `json:"bytes"` // of the archives
	URLs      int   `json:"urls"`  // that can occur
	Responses int   `json:"responses"`
	Revisits  int   `json:"revisits"`
}

func (o *Options) formats() ([]warc.Format, error) {
	switch o.Format {
	case "warc":
		return []warc.Format{warc.WARC}, nil
	case "arc":
		return []warc.Format{warc.ARC}, nil
	case "both":
		return []warc.Format{warc.WARC, warc.ARC}, nil
	}
	return nil, fmt.Errorf("format %q: warc, arc or both is wanted", o.Format)
}

// Check says what is wrong with the options.
func (o *Options) Check() error {
	formats, err := o.formats()
	switch {
	case err != nil:
		return err
	case o.Records < len(formats):
		return fmt.Errorf("%d records: at least %d are wanted", o.Records, len(formats))
	case o.Hosts < 1 || o.Hosts > 10_000_000:
		return fmt.Errorf("%d hosts: 1 to 10,000,000 are wanted", o.Hosts)
	case o.MinSize < minPayload || o.MaxSize < o.MinSize || o.MaxSize > 1<<30:
		return fmt.Errorf("sizes from %d to %d: at least %d and at most 1 GiB are wanted, the lesser first", o.MinSize, o.MaxSize, minPayload)
	case o.Files == 0 && o.FileSize < 1:
		return errors.New("neither a number of files nor their size")
	case o.Files != 0 && (o.Files < len(formats) || o.Files > o.Records):
		return fmt.Errorf("%d files: %d to %d are wanted, one a format to one a record", o.Files, len(formats), o.Records)
	case o.Pick < 0:
		return fmt.Errorf("%d picked captures: 0 or more are wanted", o.Pick)
	}
	return nil
}

// Make makes a corpus in a folder, which must be empty or not there.
func Make(dir string, o Options) (Totals, error) {
	var totals Totals
	if err := o.Check(); err != nil {
		return totals, err
	}
	if entries, err := os.ReadDir(dir); len(entries) > 0 {
		return totals, fmt.Errorf("%s is not empty", dir)
	} else if err != nil && !os.IsNotExist(err) {
		return totals, err
	}
	m, err := newMaker(dir, &o)
	if err != nil {
		return totals, err
	}
	totals.URLs = m.crawl.web.urls
	for result := range m.members() {
		if err = result.err; err != nil {
			break
		}
		if err = m.add(result.members, &totals); err != nil {
			break
		}
	}
	if err := m.close(err); err != nil {
		return totals, err
	}
	totals.Archives, totals.Bytes = m.archives.count, m.archives.bytes
	return totals, describe(dir, &o, &totals)
}

// A maker is the state of one run.
type maker struct {
	options  *Options
	crawl    crawl
	archives archives
	lists    *lists
	stop     chan struct{}
}

func newMaker(dir string, o *Options) (*maker, error) {
	formats, err := o.formats()
	if err != nil {
		return nil, err
	}
	m := &maker{options: o, stop: make(chan struct{})}
	urls := max(o.Records/capturesPerURL, 1)
	m.crawl = crawl{web: newWeb(o.Seed, urls, o.Hosts), records: o.Records, formats: formats}
	m.archives = archives{
		dir: filepath.Join(dir, "archives"), plain: !o.Compress, fileSize: o.FileSize,
		seed: o.Seed, open: map[warc.Format]*archive{},
	}
	if o.Files > 0 {
		m.archives.begins, m.archives.fileSize = shares(o.Records, o.Files, formats), 0
	}
	if err := os.MkdirAll(m.archives.dir, 0o777); err != nil {
		return nil, err
	}
	if o.Lists {
		m.lists, err = newLists(dir, o.Seed, o.Pick)
	}
	return m, err
}

// batchSize is how many captures go to a worker at once.
const batchSize = 32

// A batch is captures, and then the records of them.
type batch struct {
	captures []capture
	members  []member
	err      error
	done     chan struct{}
}

// members makes the records on all cores and gives them in order of the crawl.
func (m *maker) members() func(yield func(*batch) bool) {
	workers := runtime.GOMAXPROCS(0)
	work := make(chan *batch)
	// Its capacity bounds how far the workers get ahead of the writing.
	inOrder := make(chan *batch, 4*workers)
	for range workers {
		go m.work(work)
	}
	go m.plan(work, inOrder)
	return func(yield func(*batch) bool) {
		for b := range inOrder {
			<-b.done
			if !yield(b) {
				return
			}
		}
	}
}

func (m *maker) plan(work, inOrder chan<- *batch) {
	defer close(work)
	defer close(inOrder)
	b := &batch{done: make(chan struct{})}
	send := func() bool {
		for _, to := range []chan<- *batch{inOrder, work} {
			select {
			case to <- b:
			case <-m.stop:
				return false
			}
		}
		b = &batch{done: make(chan struct{})}
		return true
	}
	for c := range m.crawl.captures() {
		b.captures = append(b.captures, c)
		if len(b.captures) == batchSize && !send() {
			return
		}
	}
	if len(b.captures) > 0 {
		send()
	}
}

func (m *maker) work(work <-chan *batch) {
	r, err := newRecorder(m.crawl.web, m.options)
	for b := range work {
		b.err = err
		for i := 0; i < len(b.captures) && b.err == nil; i++ {
			var record member
			record, b.err = r.make(b.captures[i])
			b.members = append(b.members, record)
		}
		close(b.done)
	}
}

func (m *maker) add(members []member, totals *Totals) error {
	for i := range members {
		record := &members[i]
		name, offset, err := m.archives.add(record)
		if err != nil {
			return err
		}
		if record.capture.revisit() {
			totals.Revisits++
		} else {
			totals.Responses++
		}
		if m.lists != nil {
			if err := m.lists.add(record, name, offset); err != nil {
				return err
			}
		}
	}
	return nil
}

// close ends all files. With an error of before, it gives that one.
func (m *maker) close(failed error) error {
	close(m.stop)
	if err := m.archives.close(); failed == nil {
		failed = err
	}
	if m.lists == nil {
		return failed
	}
	if failed != nil {
		m.lists.abort()
		return failed
	}
	return m.lists.close()
}

func describe(dir string, o *Options, totals *Totals) error {
	content, err := json.MarshalIndent(struct {
		Options Options `json:"options"`
		Totals  Totals  `json:"totals"`
	}{*o, *totals}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "corpus.json"), append(content, '\n'), 0o666)
}
