package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// A Cluster is a sorted index that is searched where it lies: a ZipNum cluster,
// or one file of sorted CDXJ or CDX lines. It reads no more than a search needs;
// what it keeps in memory is bounded (about 40 MiB for a large one). It is for
// one goroutine, and one search at a time.
type Cluster struct {
	source source
	file   storage.Reader
}

// A source gives the lines of a range: see Lines. To is nil for no end.
type source interface {
	lines(from, to []byte, yield func([]byte, error) bool)
	weight(from, to []byte) (int64, error)
	close() error
}

// Open opens an index by path or URI: a cluster.idx, the folder that it lies in
// (for https:// with a slash at the end), or a file of sorted CDXJ or CDX lines,
// plain or gzip. What it is decides the content. A gzip file is read once to find
// its members; one of a single member larger than 64 MiB is searched from its
// begin every time.
func Open(name string, o Options) (*Cluster, error) { return openShared(name, o, 1) }

// Options say how an index is opened.
type Options struct {
	// Elsewhere allows shards outside of the cluster's own folder.
	Elsewhere bool
}

// ElsewhereFlag is the option of stages that open indexes.
func ElsewhereFlag() cli.Flag {
	return &cli.BoolFlag{Name: "allow-elsewhere", Usage: "read shards that a cluster says to be outside of its folder: other files, other servers"}
}

// OptionsOf reads the options of a stage.
func OptionsOf(t *stage.Task) Options { return Options{Elsewhere: t.Bool("allow-elsewhere")} }

// Hint adds to the error of a search what the user can do about it.
func Hint(err error) error {
	var elsewhere *ElsewhereError
	if errors.As(err, &elsewhere) {
		return stage.Hint(err, "--allow-elsewhere reads it (-D stage.allow-elsewhere=true for a job), if the cluster is to be trusted")
	}
	return err
}

// openShared opens one of several indexes that share the memory of one.
func openShared(name string, o Options, sharers int) (*Cluster, error) {
	name, err := indexFile(name)
	if err != nil {
		return nil, err
	}
	r, err := storage.Open(name)
	if err != nil {
		return nil, err
	}
	s, err := open(name, r, o, sharers)
	if err != nil {
		r.Close()
		return nil, err
	}
	return &Cluster{s, r}, nil
}

// indexFile gives the file that an index's path means.
func indexFile(name string) (string, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		if strings.HasSuffix(name, "/") {
			return storage.Join(name, "cluster.idx"), nil
		}
		return name, nil
	}
	info, err := storage.Stat(name)
	if err == nil && info.IsDir {
		return storage.Join(name, "cluster.idx"), nil
	}
	return name, err
}

func open(name string, r storage.Reader, o Options, sharers int) (source, error) {
	f := newSortedFile(name, r, sharers)
	head, err := f.lineHead(0, 2)
	if err != nil {
		return nil, err
	}
	if string(head) == "\x1f\x8b" {
		return openGzip(name, r, sharers)
	}
	isIndex, err := isIndex(f)
	if err != nil || !isIndex {
		return &sortedLines{file: f}, err
	}
	return newBlocks(f, newShards(name, o), sharers), nil
}

// isIndex says whether a file is a ZipNum cluster's, by its name or its first
// line. A list of captures with tabs has the same form, but no timestamp behind
// the URL.
func isIndex(f *sortedFile) (bool, error) {
	switch path.Ext(f.name) {
	case ".idx", ".summary":
		return true, nil
	}
	s := scanner{}
	s.reset(f, 0)
	for {
		line, err := s.next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !isHeader(line) {
			e, err := ParseEntry(line)
			_, timestamp, _ := bytes.Cut(e.Key, []byte{' '})
			return err == nil && len(timestamp) >= 4 && digits(timestamp), nil
		}
	}
}

// Close closes the index and its shards.
func (c *Cluster) Close() error {
	return errors.Join(c.source.close(), c.file.Close())
}

// Lines gives the lines with from ≤ line < to by their bytes, sorted, without
// their line feeds; all from there on where to is empty. Headers are left out. A
// line is valid until the next one. An error takes the place of what could not be
// read: a *BlockError tells of one block, behind which the lines go on.
func (c *Cluster) Lines(from, to string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var end []byte
		if to != "" {
			end = []byte(to)
		}
		c.source.lines([]byte(from), end, yield)
	}
}

// Weight gives about how many bytes a search of a range reads: of lines, or of
// compressed blocks.
func (c *Cluster) Weight(from, to string) (int64, error) {
	var end []byte
	if to != "" {
		end = []byte(to)
	}
	return c.source.weight([]byte(from), end)
}

// A BlockError tells which block of a cluster could not be read, or which line of
// its index.
type BlockError struct {
	Shard  string // its name; the index's where a line of it is meant
	Offset int64  // of the block or line, in bytes
	Err    error
}

func (e *BlockError) Error() string {
	return fmt.Sprintf("%s at %d: %v", e.Shard, e.Offset, e.Err)
}

func (e *BlockError) Unwrap() error { return e.Err }

// sortedLines is a plain file of sorted lines.
type sortedLines struct {
	file *sortedFile
	scan scanner
}

func (s *sortedLines) close() error { return nil }

func (s *sortedLines) lines(from, to []byte, yield func([]byte, error) bool) {
	start, err := s.file.find(len(from), func(head []byte) bool { return bytes.Compare(head, from) < 0 })
	if err != nil {
		yield(nil, err)
		return
	}
	s.scan.reset(s.file, start)
	for {
		line, err := s.scan.next()
		if err == io.EOF {
			return
		}
		if long := (*BlockError)(nil); errors.As(err, &long) {
			if !yield(nil, err) {
				return
			}
			continue
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if bytes.Compare(line, from) < 0 || isHeader(line) {
			continue
		}
		if to != nil && bytes.Compare(line, to) >= 0 || !yield(line, nil) {
			return
		}
	}
}

func (s *sortedLines) weight(from, to []byte) (int64, error) {
	find := func(text []byte) (int64, error) {
		return s.file.find(len(text), func(head []byte) bool { return bytes.Compare(head, text) < 0 })
	}
	start, err := find(from)
	if err != nil || to == nil {
		return s.file.size() - start, err
	}
	end, err := find(to)
	return end - start + s.file.page, err
}

// minBlock is how many bytes of small gzip members are read as one block.
const minBlock = 256 << 10

// openGzip makes the index of a gzip file in memory.
func openGzip(name string, r storage.Reader, sharers int) (source, error) {
	var index []byte
	shard := path.Base(name)
	e := Entry{Shard: []byte(shard)}
	put := func() {
		if e.Length > 0 {
			index = append(e.Append(index), '\n')
		}
	}
	err := members(io.NewSectionReader(r, 0, r.Size()), func(offset, length int64, key []byte, whole bool) error {
		if !whole || e.Length > 0 && offset+length-e.Offset <= minBlock {
			e.Length = offset + length - e.Offset
			return nil
		}
		put()
		e.Key, e.Offset, e.Length = append(e.Key[:0], key...), offset, length
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	put()
	s := newShards(name, Options{Elsewhere: true}) // the file itself, wherever a link leads
	s.places = map[string][]string{shard: {name}}
	return newBlocks(newSortedFile(name, memory{bytes.NewReader(index)}, sharers), s, sharers), nil
}

// memory is a file that lies in memory.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// notThere says whether an error means that there is no such file. Web servers
// answer differently for files that they do not have.
func notThere(name string, err error) bool {
	return errors.Is(err, fs.ErrNotExist) || strings.HasPrefix(name, "http")
}
