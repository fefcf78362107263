package enrich

import (
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"archivestream/lib/where"
)

type parquetRow = parquet.Row

// rowGroupBytes is about the size of a row group's values, in bytes.
const rowGroupBytes = 64 << 20

// A parquetFile is a table in Parquet: all columns optional, texts in UTF-8, numbers
// of 64 bits, compressed with zstd.
type parquetFile struct {
	writer  *parquet.GenericWriter[any]
	columns []column
	pending int // bytes of the row group that is open
}

func newParquetFile(w io.Writer, columns []column) *parquetFile {
	var fields []reflect.StructField
	used := map[string]bool{}
	for i, c := range columns {
		kind := reflect.TypeFor[*string]()
		if c.kind == where.Integer {
			kind = reflect.TypeFor[*int64]()
		}
		name := strings.Map(func(r rune) rune {
			if r == ',' || r == '"' || r == '`' || r < ' ' {
				return '_'
			}
			return r
		}, c.name)
		for used[name] {
			name += "_"
		}
		used[name] = true
		fields = append(fields, reflect.StructField{
			Name: "C" + strconv.Itoa(i), Type: kind,
			Tag: reflect.StructTag(`parquet:` + strconv.Quote(name+",optional")),
		})
	}
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	config := parquet.DefaultWriterConfig()
	config.Apply(
		schema, parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(1),
		&parquet.WriterConfig{CreatedBy: "archivestream version 1 (build enrich)"},
	)
	return &parquetFile{writer: parquet.NewGenericWriter[any](w, config), columns: columns}
}

// append makes a row of cells.
func (f *parquetFile) append(o *output, cells []Value) error {
	row := make(parquetRow, len(cells))
	for i := range cells {
		v := &cells[i]
		switch {
		case v.Kind == Absent:
			row[i] = parquet.NullValue().Level(0, 0, i)
		case f.columns[i].kind == where.Integer:
			if v.Kind != Integer {
				row[i] = parquet.NullValue().Level(0, 0, i)
				continue
			}
			row[i] = parquet.Int64Value(v.Number).Level(0, 1, i)
		default:
			begin := len(o.cells)
			o.cells = v.appendCell(o.cells)
			row[i] = parquet.ByteArrayValue(o.cells[begin:len(o.cells):len(o.cells)]).Level(0, 1, i)
		}
	}
	o.rows = append(o.rows, row)
	return nil
}

func (f *parquetFile) write(rows []parquetRow) error {
	for i := range rows {
		if _, err := f.writer.WriteRows(rows[i : i+1]); err != nil {
			return err
		}
		for _, v := range rows[i] {
			f.pending += 16
			if v.Kind() == parquet.ByteArray {
				f.pending += len(v.ByteArray())
			}
		}
		if f.pending >= rowGroupBytes {
			f.pending = 0
			if err := f.writer.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *parquetFile) close() error { return f.writer.Close() }
