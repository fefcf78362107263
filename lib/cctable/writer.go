package cctable

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"archivestream/lib/cdx"
)

// A Compression names the codec of all pages.
type Compression string

// The codecs: zstd is smaller and faster, gzip older.
const (
	Zstd Compression = "zstd"
	Gzip Compression = "gzip"
)

func (c Compression) codec() (compress.Codec, error) {
	switch c {
	case "", Zstd:
		return &zstd.Codec{Level: zstd.SpeedDefault}, nil
	case Gzip:
		return &gzip.Codec{Level: gzip.DefaultCompression}, nil
	}
	return nil, fmt.Errorf("unknown compression %q, want zstd or gzip", string(c))
}

// Options say how a file is written. The zero value is a good choice.
type Options struct {
	Compression  Compression // Zstd if empty
	RowGroupRows int         // rows of a full row group, DefaultRowGroupRows if 0
	BloomFilter  bool        // on url, 10 bits for each row
	Meta         bool        // also the columns of META sidecar files
	Segment      string      // warc_segment of archive files whose path names none
}

// DefaultRowGroupRows is the number of rows that DuckDB takes as a unit of work.
const DefaultRowGroupRows = 122_880

// Sizes. They are constants, since equal rows must make equal bytes.
const (
	groupBytes = 32 << 20 // of text in a row group, before compression
	pageBytes  = 256 << 10
	pageRows   = 20_000
	batchRows  = 256 // handed to the column writers at once
	batchBytes = 256 << 10
	filterBits = 10 // for each distinct value: one false answer in a hundred
)

// ErrOrder is the error of a capture whose key sorts before that of the capture
// written before it.
var ErrOrder = errors.New("captures are not sorted by key")

// A Writer writes a Parquet file. It holds at most a row group, encoded and
// compressed, and a page of each column.
type Writer struct {
	options Options
	file    *parquet.GenericWriter[any]
	columns []*parquet.ColumnWriter

	row  Row
	last []byte // key of the capture before
	tld  string // of the row before
	rows int64
	err  error // of the file: no more can be written

	// Values of whole rows that wait for the column writers, which copy them.
	values [columnCount + metaColumns][]parquet.Value
	bytes  []byte                        // what they point to; never grown while they do
	host   [columnProtocol]parquet.Value // of the row before, if it is of this batch
	named  string                        // the host's name
	batch  int                           // rows

	inPage, inGroup int   // rows that the column writers have
	size            int64 // bytes of text that the row group holds
	seen            map[uint64]struct{}
}

// NewWriter begins a file. Nothing is written to w before the first row group is
// full.
func NewWriter(w io.Writer, o Options) (*Writer, error) {
	codec, err := o.Compression.codec()
	if err != nil {
		return nil, err
	}
	if o.RowGroupRows < 0 {
		return nil, fmt.Errorf("row groups of %d rows", o.RowGroupRows)
	}
	if o.RowGroupRows == 0 {
		o.RowGroupRows = DefaultRowGroupRows
	}
	filters := []parquet.BloomFilterColumn{
		parquet.SplitBlockFilter(filterBits, "url_host_name"),
		parquet.SplitBlockFilter(filterBits, "url_host_registered_domain"),
	}
	if o.BloomFilter {
		filters = append(filters, parquet.SplitBlockFilter(filterBits, "url"))
	}
	config := parquet.DefaultWriterConfig()
	columns := schema
	if o.Meta {
		columns = metaSchema
	}
	config.Apply(
		columns,
		parquet.Compression(codec),
		parquet.DataPageVersion(1),
		parquet.DataPageStatistics(false), // the page index has them
		parquet.PageBufferSize(pageBytes),
		parquet.ColumnIndexSizeLimit(func([]string) int { return 64 }),
		parquet.BloomFilters(filters...),
		parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending("url_surtkey"))),
		// parquet-mr trusts bounds only of a file whose writer it can read here.
		&parquet.WriterConfig{CreatedBy: "archivestream version 1 (build cctable)"},
	)
	if err := config.Validate(); err != nil {
		return nil, err
	}
	file := parquet.NewGenericWriter[any](w, config)
	return &Writer{options: o, file: file, columns: file.ColumnWriters(), bytes: make([]byte, 0, batchBytes), seen: map[uint64]struct{}{}}, nil
}

// Rows gives the number of rows written.
func (w *Writer) Rows() int64 { return w.rows }

// Write adds the row of a capture. Errors that are ErrNoRow or wrap ErrCapture
// are of the capture, which is left out; every other error is of the file and
// comes again with each call.
func (w *Writer) Write(c *cdx.Capture) error {
	if w.err != nil {
		return w.err
	}
	if bytes.Compare(c.Key, w.last) < 0 {
		w.err = fmt.Errorf("%w: %q behind %q", ErrOrder, shorten(c.Key), shorten(w.last))
		return w.err
	}
	if err := w.row.Set(c); err != nil {
		return err
	}
	w.last = append(w.last[:0], c.Key...)
	if len(w.row.Segment) == 0 {
		w.row.Segment = []byte(w.options.Segment)
	}
	w.err = w.add()
	return w.err
}

// shorten keeps a hostile key from filling a message.
func shorten(key []byte) []byte { return key[:min(len(key), 200)] }

// add puts the row into the batch and lets the batch, page and row group before
// it go that it would not fit into.
func (w *Writer) add() error {
	tld := w.row.Host.Parts[0]
	full := w.inGroup+w.batch >= w.options.RowGroupRows || w.size >= groupBytes
	if full || tld != w.tld && w.inGroup+w.batch >= (w.options.RowGroupRows+3)/4 {
		if err := w.endGroup(); err != nil {
			return err
		}
	}
	w.tld = tld
	need := w.row.size()
	if w.batch == batchRows || w.batch > 0 && len(w.bytes)+need > cap(w.bytes) {
		if err := w.endBatch(); err != nil {
			return err
		}
	}
	if w.batch == 0 && need > cap(w.bytes) {
		w.bytes = make([]byte, 0, need)
	}
	w.appendRow()
	w.batch++
	w.rows++
	w.size += int64(w.row.held(w.seen))
	if w.inPage+w.batch == pageRows {
		return w.endPage()
	}
	return nil
}

// endBatch hands the values to the column writers.
func (w *Writer) endBatch() error {
	for i, column := range w.columns {
		if _, err := column.WriteRowValues(w.values[i]); err != nil {
			return fmt.Errorf("column %s: %w", w.file.Schema().Columns()[i][0], err)
		}
		w.values[i] = w.values[i][:0]
	}
	w.inPage, w.inGroup, w.batch = w.inPage+w.batch, w.inGroup+w.batch, 0
	w.bytes, w.named = w.bytes[:0], ""
	if cap(w.bytes) > 4*batchBytes {
		w.bytes = make([]byte, 0, batchBytes)
	}
	return nil
}

// endPage ends the pages of all columns, so that a page of few bytes does not
// hold rows of many hosts.
func (w *Writer) endPage() error {
	if err := w.endBatch(); err != nil {
		return err
	}
	w.inPage = 0
	for i, column := range w.columns {
		if err := column.Flush(); err != nil {
			return fmt.Errorf("column %s: %w", w.file.Schema().Columns()[i][0], err)
		}
	}
	return nil
}

func (w *Writer) endGroup() error {
	if err := w.endBatch(); err != nil {
		return err
	}
	w.inPage, w.inGroup, w.size = 0, 0, 0
	clear(w.seen)
	if err := w.file.Flush(); err != nil {
		return err
	}
	// The bounds of the page index are kept until the file ends. They are cut
	// off from longer values, which must not be kept with them.
	for _, index := range w.file.File().ColumnIndexes() {
		for i := range index.MinValues {
			index.MinValues[i] = bytes.Clone(index.MinValues[i])
			index.MaxValues[i] = bytes.Clone(index.MaxValues[i])
		}
	}
	return nil
}

// Close writes what is left, the page index and the footer. It does not close
// the writer below. A file without rows is a file too.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if err := w.endBatch(); err != nil {
		w.err = err
		return err
	}
	w.err = errors.New("the file is closed")
	return w.file.Close()
}
