package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"

	"archivestream/lib/storage"
)

// splitSlop is how much longer than the others a file's last split may be.
const splitSlop = 1.1

// split is what one map task reads: the lines of a file that begin in
// (Start, Start+Length], and at 0 for the first split. Gzip'd files are one
// split, Length being that of the compressed file.
type split struct {
	Path   string
	Start  int64 // bytes
	Length int64 // bytes
	gzip   bool
	rank   int // its place in the order of the inputs
}

// inputFiles lists what the -input paths mean, in the order that Hadoop lists
// it: paths as given, names within each sorted.
func inputFiles(paths []string, ignoreFolders bool) ([]storage.Info, error) {
	var files []storage.Info
	for _, p := range paths {
		path, err := absolute(p)
		if err != nil {
			return nil, err
		}
		if storage.Hidden(storage.Info{Path: path}.Name()) {
			return nil, withHint(fmt.Errorf("input path %s matches 0 files", p),
				"files and folders whose names begin with _ or . are no input for Hadoop")
		}
		if err := checkFolders(path, ignoreFolders); err != nil {
			return nil, err
		}
		some, err := storage.Expand(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("input path does not exist: %s", p)
		}
		if err != nil {
			return nil, fmt.Errorf("input path %s: %w", p, err)
		}
		files = append(files, some...)
	}
	return files, nil
}

// checkFolders refuses, as Hadoop does, a folder that holds folders, unless
// the job says that they are to be left out.
func checkFolders(path string, ignore bool) error {
	info, err := storage.Stat(path)
	if err != nil || !info.IsDir || ignore {
		return nil
	}
	all, err := storage.List(path)
	if err != nil {
		return err
	}
	for _, f := range all {
		if f.IsDir && !storage.Hidden(f.Name()) {
			return withHint(fmt.Errorf("not a file: %s", f.Path),
				"-D %s=true leaves folders in input folders out", keyIgnoreSubdirs)
		}
	}
	return nil
}

// absolute makes a local path absolute and clean; URIs stay as they are.
func absolute(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "file:"); ok {
		path = "/" + strings.TrimLeft(rest, "/")
	}
	if path == "" {
		return "", usagef("an empty path")
	}
	if storage.IsURI(path) {
		return path, nil
	}
	return filepath.Abs(path)
}

// compressed are names that Hadoop inflates and the engine does not.
var compressed = []string{".bz2", ".deflate", ".snappy", ".lz4", ".zst"}

func checkName(path string) error {
	for _, suffix := range compressed {
		if strings.HasSuffix(path, suffix) {
			return withHint(fmt.Errorf("%s: %s input is not supported", path, suffix), "compress it with gzip or leave it plain")
		}
	}
	return nil
}

// textSplits cuts files as Hadoop's FileInputFormat (mapred API) does it, for
// about the wanted number of maps. minimum and block are in bytes.
func textSplits(files []storage.Info, wanted int, minimum, block int64) ([]split, error) {
	var total int64
	for _, f := range files {
		total += f.Size
	}
	size := max(minimum, 1, min(total/int64(max(1, wanted)), block))
	var splits []split
	for _, f := range files {
		if err := checkName(f.Path); err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Path, ".gz") {
			splits = append(splits, split{f.Path, 0, f.Size, true, 0})
			continue
		}
		rest := f.Size
		for ; float64(rest)/float64(size) > splitSlop; rest -= size {
			splits = append(splits, split{f.Path, f.Size - rest, size, false, 0})
		}
		if rest > 0 || f.Size == 0 {
			splits = append(splits, split{f.Path, f.Size - rest, rest, false, 0})
		}
	}
	return splits, nil
}

// lineSplits cuts files after every n lines as NLineInputFormat does it. Its
// ranges begin one byte early and end one byte early, because the reader of a
// split throws its first line away and reads one beyond its end.
func lineSplits(ctx context.Context, files []storage.Info, n int) ([]split, error) {
	var splits []split
	for _, f := range files {
		if err := checkName(f.Path); err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Path, ".gz") {
			return nil, withHint(fmt.Errorf("%s: NLineInputFormat cannot read gzip", f.Path), "inflate it first")
		}
		some, err := lineSplitsOf(ctx, f, int64(n))
		if err != nil {
			return nil, err
		}
		splits = append(splits, some...)
	}
	return splits, nil
}

func lineSplitsOf(ctx context.Context, f storage.Info, n int64) ([]split, error) {
	r, err := storage.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var splits []split
	var lines, begin, offset int64
	cut := func(end int64) {
		if begin == 0 {
			splits = append(splits, split{f.Path, 0, end - 1, false, 0})
		} else {
			splits = append(splits, split{f.Path, begin - 1, end - begin, false, 0})
		}
		begin, lines = end, 0
	}
	buffer := make([]byte, 256<<10)
	for offset < r.Size() {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		got, err := r.ReadAt(buffer, offset)
		if got == 0 {
			return nil, fmt.Errorf("%s: offset %d: %w", f.Path, offset, err)
		}
		chunk := buffer[:got]
		for len(chunk) > 0 {
			i := bytes.IndexByte(chunk, '\n')
			if i < 0 {
				offset += int64(len(chunk))
				break
			}
			offset += int64(i + 1)
			chunk = chunk[i+1:]
			if lines++; lines == n {
				cut(offset)
			}
		}
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s: offset %d: %w", f.Path, offset, err)
		}
	}
	if offset > begin {
		cut(offset)
	}
	return splits, nil
}

// orderSplits puts the largest first, as Hadoop does when it submits a job;
// map tasks are numbered in this order.
func orderSplits(splits []split) {
	for i := range splits {
		splits[i].rank = i
	}
	sort.SliceStable(splits, func(i, j int) bool { return splits[i].Length > splits[j].Length })
}
