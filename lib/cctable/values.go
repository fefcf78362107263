package cctable

import "github.com/parquet-go/parquet-go"

// size gives the number of bytes that the row's text takes at most.
func (r *Row) size() int {
	n := r.Host.size()
	for _, text := range [...][]byte{
		r.SURTKey, r.URL, r.Protocol, r.Path, r.Query, r.Redirect, r.Digest, r.MimeType,
		r.MimeDetected, r.Charset, r.Languages, r.Truncated, r.PUID, r.Filename, r.Segment,
	} {
		n += len(text)
	}
	return n
}

// held gives the number of bytes of text that a row group holds for the row: what
// stands in a column's dictionary already takes none. seen knows the dictionaries by
// hashes of their texts.
func (r *Row) held(seen map[uint64]struct{}) int {
	n := len(r.SURTKey) + len(r.URL) + len(r.Path) + len(r.Query) + len(r.Redirect) + len(r.Digest)
	if note(seen, 0, r.Host.Name) {
		n += r.Host.size()
	}
	for i, text := range [...][]byte{r.MimeType, r.MimeDetected, r.Charset, r.Languages, r.Truncated, r.Filename, r.Segment} {
		if note(seen, byte(i+1), text) {
			n += len(text)
		}
	}
	return n
}

// note says whether a column's text is new. The hash is FNV-1a, of 64 bits, the same
// in each run: equal rows make equal row groups.
func note[T string | []byte](seen map[uint64]struct{}, column byte, text T) bool {
	const offset, prime = 14695981039346656037, 1099511628211
	h := (offset ^ uint64(column)) * prime
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * prime
	}
	if _, known := seen[h]; known {
		return false
	}
	seen[h] = struct{}{}
	return true
}

func (h *Host) size() int {
	n := 0
	for _, text := range h.columns() {
		n += len(text)
	}
	return n
}

// columns gives the values in the order of their columns, the name first.
func (h *Host) columns() [11]string {
	return [11]string{
		h.Name, h.Parts[0], h.Parts[1], h.Parts[2], h.Parts[3], h.Parts[4],
		h.RegistrySuffix, h.RegisteredDomain, h.PrivateSuffix, h.PrivateDomain, h.Reversed,
	}
}

// appendRow appends the row's values, one to each column.
func (w *Writer) appendRow() {
	r, next := &w.row, 0
	add := func(v parquet.Value, optional bool) {
		if optional {
			v = v.Level(0, 1, next)
		} else {
			v = v.Level(0, 0, next)
		}
		w.values[next] = append(w.values[next], v)
		next++
	}
	text := func(s []byte) { add(w.keep(s), false) }
	optional := func(s []byte) {
		if s == nil {
			add(parquet.NullValue(), false)
		} else {
			add(w.keep(s), true)
		}
	}
	text(r.SURTKey)
	text(r.URL)
	w.keepHost()
	for ; next < columnProtocol; next++ {
		w.values[next] = append(w.values[next], w.host[next])
	}
	text(r.Protocol)
	if r.Port < 0 {
		add(parquet.NullValue(), false)
	} else {
		add(parquet.Int32Value(r.Port), true)
	}
	text(r.Path)
	optional(r.Query)
	add(parquet.Int64Value(r.FetchTime), false)
	add(parquet.Int32Value(int32(r.FetchStatus)), false)
	for _, s := range [...][]byte{r.Redirect, r.Digest, r.MimeType, r.MimeDetected, r.Charset, r.Languages, r.Truncated} {
		optional(s)
	}
	text(r.Filename)
	add(parquet.Int64Value(r.Offset), false)
	add(parquet.Int64Value(r.Length), false)
	text(r.Segment)
	if !w.options.Meta {
		return
	}
	optional(r.PUID)
	if r.Soft404 < 0 {
		add(parquet.NullValue(), false)
	} else {
		add(parquet.DoubleValue(r.Soft404), true)
	}
}

// keep copies text to where it stays until the batch ends.
func (w *Writer) keep(s []byte) parquet.Value {
	begin := len(w.bytes)
	w.bytes = append(w.bytes, s...)
	return parquet.ByteArrayValue(w.bytes[begin:len(w.bytes):len(w.bytes)])
}

// keepHost makes the values of the host's columns, unless they are those of the
// row before.
func (w *Writer) keepHost() {
	if w.named == w.row.Host.Name { // never "" in a row
		return
	}
	w.named = w.row.Host.Name
	for i, s := range w.row.Host.columns() {
		column := columnHostName + i
		switch {
		case i == 0:
			w.host[column] = w.keep([]byte(s)).Level(0, 0, column)
		case s == "":
			w.host[column] = parquet.NullValue().Level(0, 0, column)
		default:
			w.host[column] = w.keep([]byte(s)).Level(0, 1, column)
		}
	}
}
