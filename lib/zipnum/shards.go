package zipnum

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"archivestream/lib/lines"
	"archivestream/lib/storage"
)

// maxOpen is how many shards stay open.
const maxOpen = 64

// Shards are the files of a cluster's blocks, opened when they are needed.
type shards struct {
	index   string              // path or URI of cluster.idx
	places  map[string][]string // of shards, from cluster.loc; nil before it was read
	open    []openShard         // the last used one at the end
	missing map[string]error
}

type openShard struct {
	place string
	r     storage.Reader
}

func newShards(index string) *shards {
	return &shards{index: index, missing: map[string]error{}}
}

// locate gives the places that a shard is looked for at, the first one first.
func (s *shards) locate(shard string) ([]string, error) {
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
