package mementomap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/zipnum"
)

// Name is that of the map in the output of WriteMap.
const Name = "mementomap.ukvs"

// WriteOptions say how WriteMap writes a map.
type WriteOptions struct {
	Gzip bool     // in blocks, with an index beside
	Meta []string // files of headers
	Of   []string // maps that went into this one
}

// WriteMap is the stage that puts headers before the sorted data lines of standard
// input: those of a map that was compacted alone, or the default ones and what
// several maps say of themselves. It makes mementomap.ukvs, or mementomap.ukvs.gz
// and mementomap.ukvs.gz.idx.
func WriteMap(t *stage.Task, o WriteOptions) error {
	headers, err := headersOf(o)
	if err != nil {
		return err
	}
	name := Name
	if o.Gzip {
		name += ".gz"
	}
	file, err := t.Create(name)
	if err != nil {
		return err
	}
	write, done := plainWriter(file)
	if o.Gzip {
		index, err := t.Create(name + IndexSuffix)
		if err != nil {
			return err
		}
		w, err := zipnum.NewWriter(file, index, name, zipnum.WriterOptions{})
		if err != nil {
			return err
		}
		write = w.WriteLine
		done = func() error { return errors.Join(w.Close(), index.Close()) }
	}
	for _, header := range headers {
		if err := write(header); err != nil {
			return err
		}
	}
	var lines int64
	for line, err := range t.Lines() {
		if err == nil {
			lines++
			err = write(line)
		}
		if err != nil {
			return errors.Join(err, done())
		}
	}
	t.Count("lines", lines)
	if err := done(); err != nil {
		return err
	}
	return file.Close()
}

// plainWriter gives the functions that write sorted lines of text and end that.
func plainWriter(w io.Writer) (write func([]byte) error, done func() error) {
	m := NewWriter(w)
	return m.Write, m.Flush
}

// headersOf gives the headers of a map, sorted.
func headersOf(o WriteOptions) ([][]byte, error) {
	var headers [][]byte
	for _, name := range o.Of {
		own, err := leadingHeaders(name)
		if err != nil {
			return nil, err
		}
		if len(o.Of) == 1 {
			headers = own
			break
		}
		headers = append(headers, provenance(name, own))
	}
	for _, name := range o.Meta {
		own, err := leadingHeaders(name)
		if err != nil {
			return nil, err
		}
		headers = append(headers, own...)
	}
	for _, header := range []string{ContextHeader, FieldsHeader} {
		kind, _, _ := bytes.Cut([]byte(header), []byte{' '})
		if !slices.ContainsFunc(headers, func(h []byte) bool { return bytes.HasPrefix(h, append(kind, ' ')) }) {
			headers = append(headers, []byte(header))
		}
	}
	slices.SortFunc(headers, bytes.Compare)
	return slices.CompactFunc(headers, bytes.Equal), nil
}

// leadingHeaders gives the headers that a file begins with.
func leadingHeaders(name string) ([][]byte, error) {
	f, err := storage.OpenStream(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var headers [][]byte
	for line, err := range lines.All(f, 0) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(line) > 0 && !IsHeader(line) {
			break
		}
		if len(line) > 0 {
			headers = append(headers, bytes.Clone(line))
		}
	}
	return headers, nil
}

// provenance gives the header that tells of a map that went into another one: its
// name and what it says of itself, but for what all maps say.
func provenance(name string, headers [][]byte) []byte {
	merged := struct {
		File    string   `json:"file"`
		Headers []string `json:"headers,omitempty"`
	}{File: path.Base(name)}
	for _, h := range headers {
		if !bytes.HasPrefix(h, []byte("!context ")) && !bytes.HasPrefix(h, []byte("!fields ")) {
			merged.Headers = append(merged.Headers, string(h))
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(map[string]any{"merged": merged}) // strings are always encoded
	return append([]byte("!meta "), bytes.TrimSuffix(b.Bytes(), newline)...)
}
