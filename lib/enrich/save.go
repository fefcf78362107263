package enrich

import (
	"bytes"
	"fmt"

	"github.com/klauspost/pgzip"

	"archivestream/lib/buffers"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// An output is what a batch has made.
type output struct {
	bytes []byte
	rows  []parquetRow
	cells []byte // that the rows point into
}

func (o *output) clear() {
	buffers.Spoil(o.bytes)
	buffers.Spoil(o.cells)
	o.bytes, o.rows, o.cells = o.bytes[:0], o.rows[:0], o.cells[:0]
	if cap(o.bytes) > keptBuffer {
		o.bytes = nil
	}
	if cap(o.cells) > keptBuffer {
		o.cells = nil
	}
}

// A saver writes what batches have made, and knows how a record or a row is made.
type saver struct {
	task    *stage.Task
	record  func(*output, *Record)       // of outputs without columns
	row     func(*output, []Value) error // of outputs with columns
	columns []column                     // nil: none
	lines   bool                         // to standard output
	// tellsErrors says that what is wrong with a value stands beside it.
	tellsErrors bool
	file        storage.Writer // nil: none
	gzip        *pgzip.Writer  // nil: not compressed
	parquet     *parquetFile   // nil: none
}

// compression is the level of gzip files: JSON and text shrink little more above it.
const compression = 3

func newSaver(t *stage.Task, p *Plan, o *MapperOptions) (*saver, error) {
	s := &saver{task: t}
	extension := ""
	tabular := false
	switch o.Save {
	case "":
		s.lines, s.record = true, appendLines(o.Pretty)
	case "json":
		extension, s.record = ".json.gz", appendLines(o.Pretty)
	case "documents":
		d, err := newDocuments(p)
		if err != nil {
			return nil, err
		}
		extension, s.record = ".json.gz", d.append
	case "text":
		texts, err := textNodes(p)
		if err != nil {
			return nil, err
		}
		extension, s.record = ".txt.gz", texts.append
	case "csv":
		extension, tabular = ".csv.gz", true
		s.row = func(out *output, cells []Value) error {
			out.bytes = appendCSV(out.bytes, cells, o.RawCSV)
			return nil
		}
	case planLines:
		s.lines = true
	case "tsv":
		s.lines, tabular = true, true
		s.row = func(out *output, cells []Value) error {
			out.bytes = appendTSV(out.bytes, cells)
			return nil
		}
	case "parquet":
		extension, tabular = ".parquet", true
	default:
		return nil, stage.Usage("--save %q: json, csv, parquet, documents, text, tsv or plan is wanted", o.Save)
	}
	if !tabular && (len(o.Columns) > 0 || o.Each != "") {
		return nil, stage.Usage("--columns and --each are for tables: --save csv, parquet or tsv")
	}
	if tabular {
		var err error
		if s.columns, err = p.columns(o.Columns); err != nil {
			return nil, err
		}
		if o.Each != "" {
			if _, err := p.node(o.Each); err != nil {
				return nil, stage.Usage("--each: %v", err)
			}
		}
	}
	s.tellsErrors = o.Save == "" || o.Save == "json"
	if extension == "" || o.Check != "" {
		return s, nil
	}
	return s, s.create(fmt.Sprintf("part-%05d%s", extract.SplitNumber(t), extension), o)
}

// create makes the side file.
func (s *saver) create(name string, o *MapperOptions) (err error) {
	if s.file, err = s.task.Create(name); err != nil {
		return err
	}
	if o.Save == "parquet" {
		s.parquet = newParquetFile(s.file, s.columns)
		s.row = s.parquet.append
		return nil
	}
	if s.gzip, err = pgzip.NewWriterLevel(s.file, compression); err != nil {
		return err
	}
	if err := s.gzip.SetConcurrency(256<<10, max(o.Workers, 1)); err != nil {
		return err
	}
	if o.Save == "csv" {
		var names []Value
		for _, c := range s.columns {
			names = append(names, Value{Kind: Text, Bytes: []byte(c.name)})
		}
		_, err = s.gzip.Write(appendCSV(nil, names, o.RawCSV))
	}
	return err
}

// write writes what a batch has made.
func (s *saver) write(o *output) error {
	switch {
	case s.parquet != nil:
		return s.parquet.write(o.rows)
	case s.gzip != nil:
		_, err := s.gzip.Write(o.bytes)
		return err
	}
	for line := range bytes.Lines(o.bytes) {
		if err := s.task.Write(line[:len(line)-1]); err != nil {
			return err
		}
	}
	return nil
}

func (s *saver) close() error {
	var err error
	if s.parquet != nil {
		err = s.parquet.close()
	}
	if s.gzip != nil {
		err = s.gzip.Close()
	}
	if err != nil || s.file == nil {
		return err
	}
	return s.file.Close()
}

func appendLines(pretty bool) func(*output, *Record) {
	if !pretty {
		return func(o *output, r *Record) { o.bytes = append(r.appendRecord(o.bytes), '\n') }
	}
	return func(o *output, r *Record) {
		begin := len(o.bytes)
		o.bytes = r.appendRecord(o.bytes)
		object := bytes.Clone(o.bytes[begin:])
		o.bytes = append(appendPretty(o.bytes[:begin], object), '\n')
	}
}

// texts are nodes whose values are saved as text, one document a line.
type texts []*node

func textNodes(p *Plan) (texts, error) {
	var all texts
	for _, n := range p.nodes {
		if n.asked {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		n, err := p.node("payload.string.html.text")
		if err != nil {
			return nil, err
		}
		n.asked = true
		all = texts{n}
	}
	return all, nil
}

// append writes the values one after the other, white space collapsed; nothing for a
// record without any.
func (t texts) append(o *output, r *Record) {
	begin := len(o.bytes)
	for _, n := range t {
		var cell []byte
		if v := r.value(n); v.Kind != Absent {
			cell = v.appendCell(nil)
		}
		for word := range bytes.FieldsSeq(cell) {
			if len(o.bytes) > begin {
				o.bytes = append(o.bytes, ' ')
			}
			o.bytes = append(o.bytes, word...)
		}
	}
	if len(o.bytes) > begin {
		o.bytes = append(o.bytes, '\n')
	}
}
