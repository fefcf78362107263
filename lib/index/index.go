package index

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/payload"
	"archivestream/lib/warc"
)

// DefaultTypes are the types of the records that are indexed if nothing else is
// said.
var DefaultTypes = []string{warc.Response, warc.Revisit, warc.Resource, warc.Metadata}

// Options say what is indexed, and how.
type Options struct {
	Types         []string // values of WARC-Type; none: DefaultTypes
	CrawlMetadata bool     // also what a crawler notes for itself
	PostAppend    bool     // keys of captures whose request had another method than GET or HEAD
	RobotFlags    bool     // look for robots meta tags
	VerifyDigests bool     // compute also the digests that records declare
}

// A Sink takes what is found in an archive file, in the order of the file. An
// error of its functions ends the reading.
type Sink struct {
	// Capture takes an index line's content, which is valid until it returns.
	Capture func(*cdx.Capture) error
	// Fault takes what is wrong in the file, the offset in bytes.
	Fault func(offset int64, reason string) error
	// Warn takes what is wrong without making a difference; nil: Fault does.
	Warn func(offset int64, reason string) error
	// Count counts records by what became of them, once for each archive.
	Count func(name string, n int64)
}

// What is counted of an archive's records.
const (
	indexed = iota
	damaged
	unaddressed
	computed
	mismatched
	read
)

// countNames are what Sink.Count is called with.
var countNames = [...]string{"indexed", "damaged", "behind others in their gzip member", "digests computed", "digests that lie", "records read"}

// An Indexer makes captures of records. It keeps its buffers from file to file
// and is for one goroutine.
type Indexer struct {
	options Options
	sink    Sink
	wanted  []string

	fields  fields
	message message
	capture cdx.Capture
	memory  memory
	digest  digester
	decoder payload.Decoder // of pages in which robots meta tags are looked for

	joined   joiner
	shared   shared
	counts   [len(countNames)]int64
	sinkFail error         // an error of the sink
	given    func() []byte // the digest that Record was called with
}

// New makes an Indexer.
func New(o Options, s Sink) *Indexer {
	x := &Indexer{options: o, sink: s, wanted: o.Types}
	if len(x.wanted) == 0 {
		x.wanted = DefaultTypes
	}
	x.digest = newDigester()
	return x
}

// errSink is the error of a Sink, to be told from those of an archive.
var errSink = errors.New("sink")

// Archive indexes an archive file of size bytes. path is its path for the
// messages of defects, name what the index calls it. The error is that of the file
// itself, or of the sink.
func (x *Indexer) Archive(file io.ReaderAt, size int64, path, name string) error {
	_, err := x.part(file, size, path, name, 0, size)
	return err
}

// part indexes what begins in [from, to) of an archive file, and gives where the
// next record begins.
func (x *Indexer) part(file io.ReaderAt, size int64, path, name string, from, to int64) (next int64, err error) {
	reader := warc.NewReader(file, size, warc.Options{Name: path, Offset: from, End: to})
	x.Begin(name)
	err = x.End(x.records(reader))
	if x.sinkFail != nil {
		return 0, err
	}
	return reader.Position(), err
}

// Begin begins an archive file whose records the caller reads and gives to Record, in
// their order, and calls End behind the last one. name is what the index calls it.
func (x *Indexer) Begin(name string) {
	x.capture.Filename = append([]byte(nil), name...)
	x.sinkFail = nil
	x.joined.reset()
	x.shared = shared{}
	x.counts = [len(countNames)]int64{}
	x.given = nil
}

// Record indexes a record. payloadDigest gives the digest of its payload as it was
// transferred, in the form that archives have, where the record itself does not
// declare it.
func (x *Indexer) Record(r *warc.Record, payloadDigest func() []byte) error {
	x.given = payloadDigest
	return x.record(r)
}

// End gives out what waits for the records behind it, and counts. It is called with
// the error that has ended the reading, nil at the end of the file, and gives that
// error or that of the sink.
func (x *Indexer) End(err error) error {
	if err == nil {
		err = x.release()
	}
	if err == nil {
		err = x.endShared()
	}
	for i, n := range x.counts {
		if n > 0 {
			x.sink.Count(countNames[i], n)
		}
	}
	if x.sinkFail != nil {
		return x.sinkFail
	}
	return err
}

func (x *Indexer) records(reader *warc.Reader) error {
	for {
		record, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		var d *warc.Defect
		if errors.As(err, &d) {
			err = x.defect(d)
			record = nil
		}
		if err != nil {
			return err
		}
		if record == nil {
			continue
		}
		if err := x.record(record); err != nil {
			return err
		}
		for _, d := range record.Defects {
			if err := x.defect(d); err != nil {
				return err
			}
		}
	}
}

func (x *Indexer) defect(d *warc.Defect) error {
	reason := fmt.Sprintf("%s: %s", d.Kind, d.Detail)
	if d.IsHarmless() && x.sink.Warn != nil {
		return x.told(x.sink.Warn(d.Offset, reason))
	}
	return x.fault(d.Offset, reason)
}

func (x *Indexer) fault(offset int64, reason string) error {
	return x.told(x.sink.Fault(offset, reason))
}

// told marks an error of the sink.
func (x *Indexer) told(err error) error {
	if err != nil {
		x.sinkFail = err
		return errSink
	}
	return nil
}

// A shared is a gzip member that holds several records.
type shared struct {
	offset int64
	count  int64 // of the records behind its first one
}

// noteShared notes a record that no offset leads to.
func (x *Indexer) noteShared(offset int64) error {
	if x.shared.count > 0 && x.shared.offset != offset {
		if err := x.endShared(); err != nil {
			return err
		}
	}
	x.shared.offset = offset
	x.shared.count++
	return nil
}

// endShared tells of the member whose records were noted last.
func (x *Indexer) endShared() error {
	n := x.shared.count
	if n == 0 {
		return nil
	}
	x.shared.count = 0
	x.counts[unaddressed] += n
	return x.fault(x.shared.offset, fmt.Sprintf("in one gzip member with the record before, so that no offset leads to them: %d", n))
}

// record indexes a record.
func (x *Indexer) record(r *warc.Record) error {
	x.counts[read]++
	wanted := slices.Contains(x.wanted, r.Type)
	if !wanted && !x.options.PostAppend {
		return nil
	}
	x.fields.take(r)
	if r.Type == warc.Request {
		if err := x.message.readRequest(r.Body); err != nil {
			return passed(err)
		}
	}
	if x.options.PostAppend {
		if err := x.join(r); err != nil {
			return err
		}
	}
	switch {
	case !wanted || x.isCrawlers(r) || x.fields.uri == "":
		return nil
	case r.InnerOffset > 0:
		return x.noteShared(r.Offset)
	case r.Damaged():
		x.counts[damaged]++
		return nil
	}
	lies, err := x.describe(r)
	if err != nil {
		x.counts[damaged]++
		return passed(err)
	}
	if x.capture.Timestamp == nil {
		return x.fault(r.Offset, fmt.Sprintf("no date that can be read: %q", x.fields.date))
	}
	for i := range lies {
		x.counts[mismatched]++
		if err := x.fault(r.Offset, lies[i].Error()); err != nil {
			return err
		}
	}
	return x.put()
}

// passed gives no error for a defect of a record's body, which the reader tells
// too.
func passed(err error) error {
	var d *warc.Defect
	if errors.As(err, &d) {
		return nil
	}
	return err
}

// isCrawlers says whether a record is the crawler's own note, which is left out.
func (x *Indexer) isCrawlers(r *warc.Record) bool {
	if x.options.CrawlMetadata || r.Type != warc.Metadata && r.Type != warc.Resource {
		return false
	}
	switch string(mediaType(x.fields.contentType)) {
	case "application/warc-fields", "text/anvl":
		return true
	}
	return false
}

// allTypes are the types of records that an index can have lines for.
var allTypes = append([]string{warc.Request, warc.Conversion, warc.Continuation}, DefaultTypes...)

// ParseTypes takes a list of record types, separated by commas.
func ParseTypes(list string) ([]string, error) {
	types := strings.Split(list, ",")
	for _, name := range types {
		if !slices.Contains(allTypes, name) {
			return nil, fmt.Errorf("no records of type %q can be indexed", name)
		}
	}
	return types, nil
}
