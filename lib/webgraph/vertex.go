package webgraph

import (
	"fmt"
	"strconv"

	"archivestream/lib/stage"
)

// A vertex is the record of a vertex; see the package's documentation. Its slices
// point into the line that it was parsed from.
type vertex struct {
	id, name, hosts []byte
	rank            uint64
	harmonic, size  float64
	counter         []byte
	changed         bool
	out             []byte
}

const vertexFields = 9

// begin makes it a vertex that nothing has been computed of.
func (v *vertex) begin(id, name, hosts []byte) {
	*v = vertex{id: append(v.id[:0], id...), name: append(v.name[:0], name...), hosts: append(v.hosts[:0], hosts...)}
	v.counter = append(v.counter, 'x')
	v.counter = append(v.counter, plainID(id)...)
	v.size = 1
	v.changed = true
}

// append appends the record without its line end.
func (v *vertex) append(dst []byte) []byte {
	dst = append(append(dst, v.id...), '\t')
	return v.appendValue(dst)
}

// appendValue appends what stands behind the id.
func (v *vertex) appendValue(dst []byte) []byte {
	dst = append(append(dst, v.name...), '\t')
	dst = append(append(dst, v.hosts...), '\t')
	dst = append(strconv.AppendUint(dst, v.rank, 10), '\t')
	dst = append(strconv.AppendFloat(dst, v.harmonic, 'g', -1, 64), '\t')
	dst = append(strconv.AppendFloat(dst, v.size, 'g', -1, 64), '\t')
	dst = append(append(dst, v.counter...), '\t')
	changed := byte('0')
	if v.changed {
		changed = '1'
	}
	dst = append(dst, changed, '\t')
	return append(dst, v.out...)
}

// parse takes a record apart; fields is a buffer.
func (v *vertex) parse(fields [][]byte, line []byte) ([][]byte, error) {
	fields = stage.Fields(fields, line, 0)
	if len(fields) != vertexFields || len(fields[0]) != idDigits {
		return fields, fmt.Errorf("no record of a vertex: %d fields in %.80q", len(fields), line)
	}
	v.id = fields[0]
	return fields, v.setValue(fields[1:])
}

func (v *vertex) setValue(f [][]byte) (err error) {
	v.name, v.hosts, v.counter, v.out = f[0], f[1], f[5], f[7]
	v.changed = string(f[6]) == "1"
	if v.rank, err = strconv.ParseUint(string(f[2]), 10, 64); err == nil {
		if v.harmonic, err = strconv.ParseFloat(string(f[3]), 64); err == nil {
			v.size, err = strconv.ParseFloat(string(f[4]), 64)
		}
	}
	if err != nil {
		return fmt.Errorf("record of vertex %s: %w", f[0], err)
	}
	return nil
}
