package corpus

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"archivestream/lib/warc"
)

// archives are the open archive files, one of each format.
type archives struct {
	dir      string
	plain    bool
	fileSize int64        // a file ends when it has so many bytes; 0: when the next begins
	begins   map[int]bool // numbers of the captures that begin a file, if not by size
	seed     uint64
	open     map[warc.Format]*archive
	count    int
	bytes    int64
}

type archive struct {
	name string
	file *os.File
	w    *bufio.Writer
	size int64
}

// add writes a member and gives the name of its file and its offset there.
func (a *archives) add(m *member) (name string, offset int64, err error) {
	format := m.capture.format
	f := a.open[format]
	if f == nil || a.begins[m.capture.number] || a.fileSize > 0 && f.size >= a.fileSize {
		if err := f.close(); err != nil {
			return "", 0, err
		}
		if f, err = a.create(format, m.capture.time); err != nil {
			return "", 0, err
		}
		a.open[format] = f
	}
	offset = f.size
	for _, data := range [][]byte{m.data, m.request} {
		if _, err := f.w.Write(data); err != nil {
			return "", 0, err
		}
		f.size += int64(len(data))
		a.bytes += int64(len(data))
	}
	return f.name, offset, nil
}

func (a *archives) create(format warc.Format, date time.Time) (*archive, error) {
	suffix := "." + format.String()
	if !a.plain {
		suffix += ".gz"
	}
	f := &archive{name: fmt.Sprintf("CORPUS-%s-%05d%s", date.Format(cdxTime), a.count, suffix)}
	a.count++
	var err error
	if f.file, err = os.Create(filepath.Join(a.dir, f.name)); err != nil {
		return nil, err
	}
	f.w = bufio.NewWriterSize(f.file, 1<<20)
	head := warc.FileHead{
		Format: format, Plain: a.plain, Filename: f.name, Date: date,
		Fields: warc.Header{
			{Name: "software", Value: "make-corpus"},
			{Name: "format", Value: "WARC File Format 1.0"},
			{Name: "description", Value: fmt.Sprintf("made-up pages, seed %d", a.seed)},
		},
	}
	f.size, err = head.WriteTo(f.w)
	a.bytes += f.size
	return f, err
}

func (f *archive) close() error {
	if f == nil {
		return nil
	}
	if err := f.w.Flush(); err != nil {
		return err
	}
	return f.file.Close()
}

func (a *archives) close() error {
	var first error
	for _, f := range a.open {
		if err := f.close(); first == nil {
			first = err
		}
	}
	return first
}

// shares gives the numbers of the captures that begin a file when the captures
// of each format are dealt out evenly to files, as many in all as wanted.
func shares(captures, files int, formats []warc.Format) map[int]bool {
	begins := map[int]bool{}
	n := len(formats)
	for i := range formats {
		own := (captures - i + n - 1) / n // of this format
		share := (files - i + n - 1) / n
		for f := range share {
			begins[own*f/share*n+i] = true
		}
	}
	return begins
}
