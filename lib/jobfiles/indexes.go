package jobfiles

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"archivestream/lib/inputs"
	"archivestream/lib/storage"
)

// An index can be given as the output folder of the job that made it. Where files of
// lines stand in that itself (index.cdxj), these are read and nothing else: what lies in
// the folders beside them has the same captures in other forms.

// Names of the folders in an output that hold its index, the one to be taken first.
var innerIndexes = []string{"zipnum", "cdx"}

// takesIndex reports whether the source is read as an index, of which a folder can have
// several forms.
func (s source) takesIndex() bool {
	return s.takes&inputs.CDX != 0 && s.takes&inputs.Archives == 0
}

// spread returns the source itself or, of an index, one source for each folder that it
// means, since each can have another form, and for each file beside these.
func (s source) spread() ([]source, error) {
	if !s.takesIndex() {
		return []source{s}, nil
	}
	if strings.HasPrefix(s.path, "http://") || strings.HasPrefix(s.path, "https://") {
		return s.spreadWeb()
	}
	matches, named, err := storage.Match(s.path)
	if err != nil {
		return []source{s}, nil // find meets the error again, and tells it
	}
	if named {
		s.opened = matches[0].IsDir
		return []source{s}, nil
	}
	isFolder := func(m storage.Info) bool { return m.IsDir }
	if !slices.ContainsFunc(matches, isFolder) {
		return []source{s}, nil
	}
	slices.SortFunc(matches, func(a, b storage.Info) int { return strings.Compare(a.Path, b.Path) })
	var all []source
	for _, m := range matches {
		each := s
		each.path, each.given, each.opened = m.Path, s.path, m.IsDir
		all = append(all, each)
	}
	return all, nil
}

// spreadWeb looks for an index in what may be a folder of a web server, which does not
// tell what is in it.
func (s source) spreadWeb() ([]source, error) {
	if path.Ext(s.path) != "" {
		return []source{s}, nil
	}
	for _, name := range []string{"index.cdxj", "index.cdx"} {
		at := storage.Join(strings.TrimSuffix(s.path, "/"), name)
		there, err := storage.Exists(at)
		if err != nil {
			return nil, err
		}
		if there {
			s.path, s.given = at, s.path
			break
		}
	}
	return []source{s}, nil
}

// openFolder looks for folders in the one that a part is of. The engines do not skip
// them: the files stand for the folder then. It returns the one that holds an index, for
// where no file does.
func (g *gathering) openFolder(p *part) (inner string, err error) {
	if !p.opened {
		return "", nil
	}
	all, err := storage.List(p.path)
	if err != nil {
		return "", err
	}
	best, others := len(innerIndexes), 0
	for _, e := range all {
		if !e.IsDir || storage.Hidden(e.Name()) {
			continue
		}
		p.whole = p.hasCluster()
		if i := slices.Index(innerIndexes, e.Name()); i >= 0 {
			best = min(best, i)
		} else if e.Name() != "table" { // of jobs/index.sh --parquet
			others++
		}
	}
	if others > 0 && len(p.files) > 0 {
		g.said = append(g.said, fmt.Sprintf("%s %s: left out the folders in it (%d)", p.option, p.path, others))
	}
	if best < len(innerIndexes) {
		inner = storage.Join(p.path, innerIndexes[best])
	}
	return inner, nil
}

// hasCluster reports whether the index of a ZipNum cluster is among a part's files.
func (p *part) hasCluster() bool {
	return slices.ContainsFunc(p.files, func(f inputFile) bool { return f.kind == inputs.Cluster })
}

// dropCluster removes from the counts of what was left out what tells where the blocks of
// a ZipNum cluster lie: their captures are read.
func dropCluster(others map[string]int) {
	if index := inputs.Cluster.String(); others[index] > 0 {
		delete(others, index)
		delete(others, inputs.Locations.String())
	}
}
