package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// memoryFiles are output files that are kept in memory.
type memoryFiles struct {
	names   []string
	content map[string]*bytes.Buffer
	ended   map[string]string
}

type memoryFile struct {
	*bytes.Buffer
	files *memoryFiles
	name  string
}

func (f memoryFile) Close() error { f.files.ended[f.name] = "closed"; return nil }
func (f memoryFile) Abort() error { f.files.ended[f.name] = "aborted"; return nil }

func (m *memoryFiles) create(counter int, kind FileKind) (OutputFile, string, error) {
	name := fmt.Sprintf("out-%d%s", counter, kind.Suffix())
	m.names = append(m.names, name)
	m.content[name] = &bytes.Buffer{}
	return memoryFile{m.content[name], m, name}, name, nil
}

func newRolling(maxSize int64) (*RollingWriter, *memoryFiles) {
	files := &memoryFiles{content: map[string]*bytes.Buffer{}, ended: map[string]string{}}
	return NewRollingWriter(RollingOptions{
		MaxSize: maxSize,
		Create:  files.create,
		Head:    func(string) (FileHead, error) { return FileHead{Date: testDate}, nil },
	}), files
}

// headSize is the length of the header record of a file.
func headSize(t *testing.T, kind FileKind, name string) int64 {
	t.Helper()
	n, err := (&FileHead{Format: kind.Format, Plain: kind.Plain, Filename: name, Date: testDate}).WriteTo(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRollOverAtTheSize(t *testing.T) {
	for _, test := range []struct {
		maxSize int64
		records []int
		want    [][]int // records by file
	}{
		{30, []int{10, 10, 10}, [][]int{{10, 10, 10}}},
		{29, []int{10, 10, 10}, [][]int{{10, 10}, {10}}},
		{31, []int{10, 10, 10}, [][]int{{10, 10, 10}}},
		{30, []int{10, 10, 11}, [][]int{{10, 10}, {11}}},
		{30, []int{10, 10, 9}, [][]int{{10, 10, 9}}},
		{10, []int{9, 10, 11, 10}, [][]int{{9}, {10}, {11}, {10}}},
		{10, []int{100, 1}, [][]int{{100}, {1}}},
		{1, []int{1, 1}, [][]int{{1}, {1}}},
		{10, nil, nil},
		{100, []int{10, 100, 10}, [][]int{{10}, {100}, {10}}},
	} {
		for _, kind := range []FileKind{{ARC, false}, {ARC, true}, {WARC, false}, {WARC, true}} {
			r, files := newRolling(test.maxSize)
			var places, want []Place
			for i, n := range test.records {
				record := bytes.Repeat([]byte{byte('a' + i)}, n)
				var p Place
				var err error
				if i%2 == 0 {
					p, err = r.CopyRaw(kind, record, "")
				} else {
					p, err = r.CopyRawFrom(kind, io.MultiReader(bytes.NewReader(record), strings.NewReader("more")), int64(n), "")
				}
				if err != nil {
					t.Fatal(err)
				}
				places = append(places, p)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			next := byte('a')
			for i, sizes := range test.want {
				name := fmt.Sprintf("out-%d%s", i, kind.Suffix())
				offset := headSize(t, kind, name)
				for _, n := range sizes {
					want = append(want, Place{name, offset, int64(n)})
					content := files.content[name].Bytes()[offset : offset+int64(n)]
					if !bytes.Equal(content, bytes.Repeat([]byte{next}, n)) {
						t.Errorf("max %d, %v, %s at %d: %q", test.maxSize, test.records, name, offset, content)
					}
					next++
					offset += int64(n)
				}
				if int64(files.content[name].Len()) != offset || files.ended[name] != "closed" {
					t.Errorf("%s: %d bytes and %q, want %d and closed", name, files.content[name].Len(), files.ended[name], offset)
				}
			}
			if diff := cmp.Diff(want, places); diff != "" {
				t.Errorf("max %d, %v:\n%s", test.maxSize, test.records, diff)
			}
			if r.Files() != len(test.want) || len(files.names) != len(test.want) {
				t.Errorf("max %d, %v: %d files, want %d", test.maxSize, test.records, r.Files(), len(test.want))
			}
		}
	}
}

func TestKindsGoToFilesOfTheirOwn(t *testing.T) {
	r, files := newRolling(1 << 20)
	kinds := []FileKind{{ARC, false}, {WARC, true}, {ARC, false}, {ARC, true}, {WARC, false}, {WARC, true}}
	var got []string
	for _, k := range kinds {
		p, err := r.CopyRaw(k, []byte("record"), "")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.File)
	}
	want := []string{"out-0.arc.gz", "out-1.warc", "out-0.arc.gz", "out-2.arc", "out-3.warc.gz", "out-1.warc"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[:2], files.names[:2]); diff != "" || len(files.names) != 4 {
		t.Errorf("files %v", files.names)
	}
}

func TestRollingWriterEncodesRecords(t *testing.T) {
	r, files := newRolling(1 << 20)
	p, err := r.WriteRecord(false, testHeader("http://a.example/"), strings.NewReader("hello"), 5)
	if err != nil {
		t.Fatal(err)
	}
	line := ARCLine{URL: "http://a.example/", IP: "0.0.0.0", Date: "20210304050607", ContentType: "text/plain"}
	q, err := r.WriteARC(true, &line, strings.NewReader("hello"), 5)
	if err != nil {
		t.Fatal(err)
	}
	// A faulty record costs nothing but itself.
	if _, err := r.WriteRecord(false, testHeader("http://b.example/"), strings.NewReader("hell"), 5); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v for a short block", err)
	}
	p2, err := r.WriteRecord(false, testHeader("http://a.example/"), strings.NewReader("hello"), 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	content := files.content[p.File].Bytes()
	one, two := content[p.Offset:p.Offset+p.Length], content[p2.Offset:]
	if !bytes.Equal(one, two) || int64(len(two)) != p2.Length || p2.Offset != p.Offset+p.Length {
		t.Errorf("the same record is %d bytes at %d and %d bytes at %d", p.Length, p.Offset, p2.Length, p2.Offset)
	}
	if got := inflated(t, one); !strings.HasSuffix(got, "\r\n\r\nhello\r\n\r\n") {
		t.Errorf("record %q", got)
	}
	if got, want := files.content[q.File].String()[q.Offset:], "http://a.example/ 0.0.0.0 20210304050607 text/plain 5\nhello\n"; got != want {
		t.Errorf("ARC record %q, want %q", got, want)
	}
}

func TestAbortLeavesClosedFiles(t *testing.T) {
	r, files := newRolling(10)
	for range 2 {
		if _, err := r.CopyRaw(FileKind{Format: WARC}, make([]byte, 10), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Abort(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"out-0.warc.gz": "closed", "out-1.warc.gz": "aborted"}
	if diff := cmp.Diff(want, files.ended); diff != "" {
		t.Error(diff)
	}
}

// failingFile takes some bytes and no more.
type failingFile struct{ left int }

var errFull = errors.New("no space left")

func (f *failingFile) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return f.left, errFull
	}
	f.left -= len(p)
	return len(p), nil
}
func (f *failingFile) Close() error { return nil }
func (f *failingFile) Abort() error { return nil }

func TestRollingWriterReportsAFullDisk(t *testing.T) {
	for _, left := range []int{0, 100, behindBuffer, 2 * behindBuffer} {
		r := NewRollingWriter(RollingOptions{
			MaxSize: 1 << 30,
			Create:  func(int, FileKind) (OutputFile, string, error) { return &failingFile{left}, "out", nil },
			Head:    func(string) (FileHead, error) { return FileHead{Date: testDate}, nil },
		})
		var err error
		for i := 0; i < 3*behindBuffer/1000 && err == nil; i++ {
			_, err = r.CopyRaw(FileKind{Format: WARC}, make([]byte, 1000), "")
		}
		if err == nil {
			err = r.Close()
		}
		if !errors.Is(err, errFull) {
			t.Errorf("%d bytes free: error %v", left, err)
		}
	}
}

type discardFile struct{}

func (discardFile) Write(p []byte) (int, error) { return len(p), nil }
func (discardFile) Close() error                { return nil }
func (discardFile) Abort() error                { return nil }

func BenchmarkCopyRaw(b *testing.B) {
	for _, size := range []int{1 << 10, 16 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			r := NewRollingWriter(RollingOptions{
				MaxSize: 100 << 20,
				Create:  func(int, FileKind) (OutputFile, string, error) { return discardFile{}, "out", nil },
				Head:    func(string) (FileHead, error) { return FileHead{Date: testDate}, nil },
			})
			record := make([]byte, size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.CopyRaw(FileKind{Format: WARC}, record, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
