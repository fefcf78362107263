package zipnum

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"archivestream/lib/lines"
	"archivestream/lib/storage"
)

// maxOpen is how many shards stay open.
const maxOpen = 64

// Shards are the files of a cluster's blocks, opened when they are needed.
type shards struct {
	index string // path or URI of cluster.idx
	Options
	folder  *storage.Folder     // that it lies in; nil before it was looked at
	places  map[string][]string // of shards, from cluster.loc; nil before it was read
	open    []openShard         // the last used one at the end
	missing map[string]error
}

type openShard struct {
	place string
	r     storage.Reader
}

func newShards(index string, o Options) *shards {
	return &shards{index: index, Options: o, missing: map[string]error{}}
}

// An ElsewhereError reports a shard that no place in its cluster's folder has, and one
// outside may.
type ElsewhereError struct{ Index, Shard, Place string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("%s: the shard %s lies at %s, outside of the cluster's folder", e.Index, e.Shard, e.Place)
}

// locate returns the places that a shard is looked for at, the first one first: those
// outside of the cluster's folder only if they are allowed. Otherwise elsewhere is the
// error of the first of them, to be told if no other place has the shard.
func (s *shards) locate(shard string) (places []string, elsewhere error, err error) {
	all, err := s.named(shard)
	if err != nil || s.Elsewhere {
		return all, nil, err
	}
	for _, place := range all {
		holds, err := s.holds(place)
		switch {
		case err != nil:
			return nil, nil, err
		case holds:
			places = append(places, place)
		case elsewhere == nil:
			elsewhere = &ElsewhereError{s.index, shard, place}
		}
	}
	return places, elsewhere, nil
}

// holds reports whether a place is below the cluster's folder, links resolved.
func (s *shards) holds(place string) (bool, error) {
	if isWeb(s.index) || isWeb(place) {
		return belowURL(s.index, place), nil
	}
	if s.folder == nil {
		var err error
		if s.folder, err = storage.NewFolder(folderOf(s.index)); err != nil {
			return false, err
		}
	}
	return s.folder.Holds(place)
}

// belowURL reports whether a URL is below the folder of another one.
func belowURL(index, place string) bool {
	i, err1 := url.Parse(index)
	p, err2 := url.Parse(place)
	if err1 != nil || err2 != nil || i.Scheme != p.Scheme || i.Host != p.Host {
		return false
	}
	dir := path.Dir(i.Path)
	return strings.HasPrefix(path.Clean(strings.ReplaceAll(p.Path, `\`, "/")), strings.TrimRight(dir, "/")+"/")
}

func isWeb(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// folderOf is the folder that a file lies in, as its path has it.
func folderOf(file string) string {
	if dir := strings.TrimSuffix(file, path.Base(file)); dir != "" {
		return dir
	}
	return "."
}

// named returns the places that cluster.loc names, or that beside the index.
func (s *shards) named(shard string) ([]string, error) {
	if s.places == nil {
		name := strings.TrimSuffix(s.index, path.Ext(s.index)) + ".loc"
		places, err := readLocations(name)
		if err != nil && !notThere(name, err) {
			return nil, err
		}
		s.places = places
	}
	if places := s.places[shard]; len(places) > 0 {
		return places, nil
	}
	return []string{beside(s.index, shard)}, nil
}

// beside is a name relative to the folder of a file; another place where it is
// a URI or absolute.
func beside(file, name string) string {
	if storage.IsURI(name) {
		return name
	}
	if path.IsAbs(name) && !storage.IsURI(file) {
		return name
	}
	if dir := strings.TrimSuffix(file, path.Base(file)); dir != "" {
		return storage.Join(dir, name)
	}
	return name
}

// readLocations reads a cluster.loc.
func readLocations(name string) (map[string][]string, error) {
	places := map[string][]string{}
	f, err := storage.OpenStream(name)
	if err != nil {
		return places, err
	}
	defer f.Close()
	err = parseLocations(f, func(shard string, paths []string) {
		for i, p := range paths {
			paths[i] = beside(name, p)
		}
		places[shard] = paths
	})
	if err != nil {
		return places, fmt.Errorf("%s: %w", name, err)
	}
	return places, nil
}

// parseLocations calls found for each line of a cluster.loc. Lines without a
// path say nothing.
func parseLocations(r io.Reader, found func(shard string, paths []string)) error {
	for line, err := range lines.All(r, 0) {
		if err != nil {
			return err
		}
		fields := strings.Split(strings.TrimRight(string(line), " \r\n\t"), "\t")
		var paths []string
		for _, p := range fields[1:] {
			if p != "" {
				paths = append(paths, p)
			}
		}
		if fields[0] != "" && len(paths) > 0 {
			found(fields[0], paths)
		}
	}
	return nil
}

// reader opens the file at a place.
func (s *shards) reader(place string) (storage.Reader, error) {
	for i := len(s.open) - 1; i >= 0; i-- {
		if o := s.open[i]; o.place == place {
			copy(s.open[i:], s.open[i+1:])
			s.open[len(s.open)-1] = o
			return o.r, nil
		}
	}
	if err := s.missing[place]; err != nil {
		return nil, err
	}
	r, err := storage.Open(place)
	if errors.Is(err, fs.ErrNotExist) {
		s.missing[place] = err
	}
	if err != nil {
		return nil, err
	}
	if len(s.open) >= maxOpen {
		s.open[0].r.Close()
		s.open = append(s.open[:0], s.open[1:]...)
	}
	s.open = append(s.open, openShard{place, r})
	return r, nil
}

func (s *shards) close() error {
	var err error
	for _, o := range s.open {
		err = errors.Join(err, o.r.Close())
	}
	s.open = nil
	return err
}
