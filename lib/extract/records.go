package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// Options say how Records extracts.
type Options struct {
	Format  string // same, warc or arc
	MaxSize int64  // of an output file's records, in bytes
	Verify  string // none, url or digest
	Prefix  string // of the output files' names; DigestMark in it becomes a digest
	Plan    string // what tells the plan from others, for the digest
	Number  int64  // of the task, in those names; -1: from the name of the split
	Date    string // of the header records, 14 digits; empty: of the first record
	// WithRequests copies the request of each response and revisit, next to it.
	WithRequests bool

	date time.Time // what Date says
}

// DigestMark stands in a prefix for a digest of the plan and of the options that
// decide what the files hold: jobs that make other files give them other names, and
// each run of a job the same.
const DigestMark = "{digest}"

// digestDigits is how many hexadecimal digits of it a name has.
const digestDigits = 12

// named replaces the mark in the prefix.
func (o *Options) named() error {
	if !strings.Contains(o.Prefix, DigestMark) {
		return nil
	}
	if o.Plan == "" {
		return stage.Usage("--prefix %q: the digest needs --plan", o.Prefix)
	}
	decides := fmt.Appendf(nil, "%s\n%d\n%s\n%s\n%s\n", o.Format, o.MaxSize, o.Verify, o.Date, o.Plan)
	if o.WithRequests {
		decides = append(decides, "with requests\n"...)
	}
	sum := sha256.Sum256(decides)
	o.Prefix = strings.ReplaceAll(o.Prefix, DigestMark, hex.EncodeToString(sum[:])[:digestDigits])
	return nil
}

// formats are the values of --format; same has no format of its own.
var formats = map[string]warc.Format{"same": warc.UnknownFormat, "warc": warc.WARC, "arc": warc.ARC}

func (o *Options) check() error {
	if _, known := formats[o.Format]; !known {
		return stage.Usage("--format %q: same, warc or arc is wanted", o.Format)
	}
	switch o.Verify {
	case "none", "url", "digest":
	default:
		return stage.Usage("--verify %q: none, url or digest is wanted", o.Verify)
	}
	if o.WithRequests && o.Format == "arc" {
		return stage.Usage("--with-requests: ARC holds no requests: expected --format same or warc")
	}
	if o.MaxSize <= 0 {
		return stage.Usage("--max-size %d: more than 0 is wanted", o.MaxSize)
	}
	o.date = time.Unix(0, 0).UTC()
	if o.Date != "" {
		var err error
		if o.date, err = time.Parse("20060102150405", o.Date); err != nil {
			return stage.Usage("--date %q: 14 digits are wanted, as in 20260131235959", o.Date)
		}
	}
	if err := o.named(); err != nil {
		return err
	}
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(o.Prefix) {
		return stage.Usage("--prefix %q: letters, digits, dots, dashes and underscores are wanted", o.Prefix)
	}
	return nil
}

var splitNumber = regexp.MustCompile(`split-([0-9]{6,18})\.tsv$`)

// number is the task's number in the names of its files: that of its split, so
// that it does not depend on the engine's numbering of tasks.
func (o *Options) number(t *stage.Task) int64 {
	if o.Number >= 0 {
		return o.Number
	}
	return SplitNumber(t)
}

// SplitNumber is the number of the split that a task's lines come from, or the
// task's where they come from elsewhere. Engines number tasks as they like.
func SplitNumber(t *stage.Task) int64 {
	if m := splitNumber.FindStringSubmatch(t.InputFile()); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64) // digits only
		return n
	}
	return int64(t.Partition())
}

// An extractor is the state of one task.
type extractor struct {
	Options
	fetcher
	task      *stage.Task
	converter *warc.Converter // once it is needed
	out       *warc.RollingWriter
	besides   besides
}

// Records is the mapper that extracts the records of a plan. It makes the output
// files as side files and emits lines of the tables.
func Records(t *stage.Task, archives *Archives, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	x := &extractor{Options: o, task: t, fetcher: newFetcher(archives)}
	x.again = !t.LastAttempt()
	defer x.close()
	number := o.number(t)
	x.out = warc.NewRollingWriter(warc.RollingOptions{
		MaxSize: o.MaxSize,
		Create: func(counter int, kind warc.FileKind) (warc.OutputFile, string, error) {
			name := fmt.Sprintf("%s-%06d-%d%s", o.Prefix, number, counter, kind.Suffix())
			t.Count("files", 1)
			f, err := t.Create(name)
			return f, name, err
		},
		Head: x.fileHead,
	})
	if err := runPipeline(t, x.extractChunk); err != nil {
		return err
	}
	return x.out.Close()
}

func (x *extractor) close() {
	if x.converter != nil {
		x.converter.Close()
	}
}

// extractChunk extracts the records of a chunk. What becomes of each stands in
// its entry; the error is one that ends the task.
func (x *extractor) extractChunk(c *chunk) error {
	for rest := c.entries; len(rest) > 0; {
		n := 1
		if rest[0].fault == nil {
			var err error
			if n, err = x.extractBatch(rest); err != nil {
				return err
			}
		}
		rest = rest[n:]
	}
	return nil
}

// extractBatch extracts the first of the entries, and with it those that one read
// fetches too. It gives their number.
func (x *extractor) extractBatch(entries []entry) (n int, err error) {
	n, a, err := x.fetch(entries)
	entries = entries[:n]
	if err != nil {
		return n, blame(entries, err)
	}
	for i := range entries {
		if err := x.extract(&entries[i], a); err != nil {
			if err := blame(entries[i:i+1], err); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// blame notes a fault in entries; any other error is given back.
func blame(entries []entry, err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	for i := range entries {
		entries[i].fault = f
	}
	return nil
}

// extract takes one record over into the output.
func (x *extractor) extract(e *entry, a *archive) error {
	it := &e.item
	if err := checkBounds(it, a.file.Size()); err != nil {
		return err
	}
	record, behind, held := x.batch.record(it.offset, it.length)
	x.current = current{archive: a, offset: it.offset, held: held}
	if !held {
		record, behind = x.ends(it, a)
	}
	at, err := x.locate(it, record, behind)
	if err != nil {
		return err
	}
	if held && at.length != it.length {
		record, _, held = x.batch.record(it.offset, at.length)
	}
	if err := x.verify(e); err != nil {
		return err
	}
	format, err := x.formatOf(a, at.plain)
	if err != nil {
		return err
	}
	if target := formats[x.Format]; target != warc.UnknownFormat && target != format {
		return x.convert(e, target)
	}
	if at.misled {
		x.task.Count("wrong lengths", 1)
	}
	if !held {
		record = nil
	}
	if x.WithRequests {
		return x.copyWithRequest(e, a, format, at, record)
	}
	e.place, err = x.copy(format, a, it.offset, at, record)
	return err
}

// copy puts a record into the output as it lies in its archive. record is all of it,
// nil for one that is not in memory.
func (x *extractor) copy(format warc.Format, a *archive, offset int64, at placed, record []byte) (warc.Place, error) {
	if at.misled {
		return x.out.Compress(format, io.NewSectionReader(a.file, offset, at.length), at.length)
	}
	kind := warc.FileKind{Format: format, Plain: at.plain}
	if record != nil {
		return x.out.CopyRaw(kind, record, at.closing)
	}
	return x.out.CopyRawFrom(kind, io.NewSectionReader(a.file, offset, at.length), at.length, at.closing)
}

// OpenPlan opens the archives that the options of a task name.
func OpenPlan(base, pathIndex string) (*Archives, error) {
	if base == "" && pathIndex == "" {
		return nil, stage.Usage("--archives or --path-index is missing")
	}
	if base != "" && !storage.IsURI(base) {
		if info, err := storage.Stat(base); err != nil {
			return nil, stage.Hint(fmt.Errorf("--archives: %w", err), "give the folder that the archive files lie in")
		} else if !info.IsDir {
			return nil, stage.Usage("--archives %s: is no folder", base)
		}
	}
	return OpenArchives(base, pathIndex)
}
