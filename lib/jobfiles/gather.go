package jobfiles

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"archivestream/lib/inputs"
	"archivestream/lib/storage"
)

// roles are the words by which a job says what a path must be.
var roles = map[string]inputs.Kind{
	"archives":  inputs.Archives,
	"index":     inputs.CDX | inputs.CDXJ,
	"search":    inputs.CDX | inputs.CDXJ | inputs.Captures | inputs.Cluster | inputs.Locations,
	"captures":  inputs.CDX | inputs.CDXJ | inputs.Captures,
	"holdings":  inputs.CDX | inputs.CDXJ | inputs.Captures | inputs.Map | inputs.Log,
	"truth":     inputs.CDX | inputs.CDXJ | inputs.Map,
	"map":       inputs.Map,
	"documents": inputs.Documents,
	"edges":     inputs.Edges,
	"links":     inputs.Archives | inputs.Links,
	"lines":     inputs.Text | inputs.Edges | inputs.Map | inputs.Log | inputs.Locations | inputs.Captures | inputs.Links,
}

// folderRole is that of a folder whose files are not looked at.
const folderRole = "folder"

// A source is a path that the user gave to an option of the job.
type source struct {
	option, path string
	takes        inputs.Kind // 0: any
	folder       bool        // it has to be there, more is not looked at
	listed       bool        // among the job's inputs; else something else that it reads
	given        string      // what the user gave, where path is a part of that
	opened       bool        // path is a folder, whose index is to be found
}

// sourcesOf takes the words of a job: input=PATH for its inputs, which are of the role
// takes=ROLE and were given by option=NAME, unless kind=ROLE TAB OPTION TAB PATH says
// something else of one; and also=ROLE TAB OPTION TAB PATH for what else is looked at.
func sourcesOf(o options) ([]source, error) {
	kinds, err := parseSources(o["kind"])
	if err != nil {
		return nil, err
	}
	also, err := parseSources(o["also"])
	if err != nil {
		return nil, err
	}
	var all []source
	for _, p := range o["input"] {
		s := source{option: o.text("option"), path: p, takes: roles[o.text("takes")]}
		if i := slices.IndexFunc(kinds, func(k source) bool { return k.path == p }); i >= 0 {
			s = kinds[i]
			kinds = slices.Delete(kinds, i, i+1)
		}
		s.listed = true
		all = append(all, s)
	}
	return append(all, also...), nil
}

func parseSources(words []string) (all []source, err error) {
	for _, word := range words {
		f := strings.SplitN(word, "\t", 3)
		if len(f) != 3 || roles[f[0]] == 0 && f[0] != folderRole {
			return nil, errUsage
		}
		all = append(all, source{option: f[1], path: f[2], takes: roles[f[0]], folder: f[0] == folderRole})
	}
	return all, nil
}

// An inputFile is one of the files that a job reads.
type inputFile struct {
	storage.Info
	kind  inputs.Kind // 0: it has not been looked at
	found string      // what it is, in words
}

// word is what job scripts call the kinds that they treat in different ways.
func (f *inputFile) word() string {
	switch f.kind {
	case inputs.Map:
		return "map"
	case inputs.Links:
		return "links"
	case inputs.Cluster, inputs.Locations:
		return "cluster"
	}
	return "-"
}

// A gathering is what a job reads: all its inputs, recognised.
type gathering struct {
	hadoop bool
	looks  map[string]int // at files, by the scheme of their paths
	parts  []*part
	said   []string // what the user should know
}

// A part is what became of a source.
type part struct {
	source
	files []inputFile
	whole bool // none of a folder's files was left out: the path stands for them
	piped bool // it was a pipe
}

// gather finds the files that the sources mean and what they are. Pipes are looked at
// by spool.
func gather(o options) (*gathering, error) {
	all, err := sourcesOf(o)
	if err != nil {
		return nil, err
	}
	g := &gathering{hadoop: o.text("engine") == "hadoop", looks: map[string]int{}}
	for _, given := range all {
		each, err := given.spread()
		if err != nil {
			return nil, err
		}
		for _, s := range each {
			p, err := g.find(s)
			if err != nil {
				return nil, err
			}
			g.parts = append(g.parts, p)
		}
	}
	return g, nil
}

// find finds the files of a source. One that was named must be what the job takes; of a
// folder or a glob the others are left out.
func (g *gathering) find(s source) (*part, error) {
	p := &part{source: s, whole: true}
	if s.folder {
		return p, checkFolder(s)
	}
	others := map[string]int{}
	found, err := storage.ExpandTelling(s.path, func(storage.Info) { others["a pipe or device"]++ })
	if err != nil {
		if s.option != "" && errors.Is(err, fs.ErrNotExist) {
			return nil, &failure{message: fmt.Sprintf("%s %s: no such file or folder", s.option, s.path), status: statusUsage}
		}
		return nil, err
	}
	named := len(found) == 1 && found[0].Path == s.path && s.given == ""
	if named && found[0].IsPipe {
		p.piped = true
		if s.takes&inputs.Archives != 0 {
			return nil, &failure{message: fmt.Sprintf("%s %s is a pipe or device: archives are read at many places, and named in what is made of them", s.option, s.path),
				hint: "write it into a file first", status: statusUsage}
		}
		return p, nil
	}
	for _, info := range found {
		if err := listable(info.Path); err != nil {
			return nil, err
		}
		f := inputFile{Info: info}
		wrong, err := g.look(s, &f)
		if err != nil {
			return nil, err
		}
		switch {
		case wrong == nil:
			p.files = append(p.files, f)
		case named:
			wrong.message = fmt.Sprintf("%s %s: %s", s.option, info.Path, wrong.message)
			return nil, wrong
		default:
			others[f.found]++
		}
	}
	inner, err := g.openFolder(p)
	if err != nil {
		return nil, err
	}
	if len(p.files) == 0 && inner != "" {
		s.path, s.given, s.opened = inner, cmp.Or(s.given, s.path), false
		return g.find(s)
	}
	if len(others) == 0 {
		return p, nil
	}
	// Of a folder with a cluster nothing else is read.
	p.whole = p.hasCluster()
	if len(p.files) == 0 {
		return nil, &failure{message: fmt.Sprintf("%s %s: expected %v, found %s", s.option, s.path, s.takes, listed(others)),
			hint: hintFor(s.takes, 0), status: statusUsage}
	}
	if s.takesIndex() {
		dropCluster(others)
	}
	if len(others) > 0 {
		g.said = append(g.said, fmt.Sprintf("%s %s: left out what is not %v: %s", s.option, s.path, s.takes, listed(others)))
	}
	return p, nil
}

// checkFolder returns what is wrong with a folder, as far as can be seen: a web server
// does not tell.
func checkFolder(s source) error {
	if strings.HasPrefix(s.path, "http://") || strings.HasPrefix(s.path, "https://") {
		return nil
	}
	info, err := storage.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir {
		return &failure{message: fmt.Sprintf("%s %s: no such folder", s.option, s.path), status: statusUsage}
	}
	return err
}

// listed counts things in words, as "CDX (5 files), text (1 file)".
func listed(counts map[string]int) string {
	var words []string
	for what, n := range counts {
		files := "files"
		if n == 1 {
			files = "file"
		}
		words = append(words, fmt.Sprintf("%s (%d %s)", what, n, files))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// How many files are looked at before a job starts; what they are it sees by itself
// else. On other machines a look costs milliseconds.
const (
	looksHere  = 20_000
	looksThere = 500
)

// look recognises a file. It returns what is wrong with it, if it is not what the job
// takes.
func (g *gathering) look(s source, f *inputFile) (*failure, error) {
	scheme, _, away := strings.Cut(f.Path, "://")
	limit := looksThere
	if !away || scheme == "file" {
		scheme, limit = "", looksHere
	}
	if g.looks[scheme]++; s.takes == 0 || g.looks[scheme] > limit {
		return nil, nil
	}
	r, err := storage.Open(f.Path)
	if err != nil {
		return nil, err
	}
	sample, err := inputs.Check(f.Path, r, r.Size(), s.takes)
	r.Close()
	var wrong *inputs.WrongKind
	if err != nil && !errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	f.kind, f.found = sample.Kind(), sample.String()
	if wrong != nil {
		return &failure{message: wrong.Error(), hint: hintFor(s.takes, f.kind), status: statusUsage}, nil
	}
	return g.checkName(s, f, sample), nil
}

// checkName returns what is wrong with the name of a file of lines: by that the engines
// know whether it is compressed. Of archives, also of empty and damaged ones, the bytes
// tell.
func (g *gathering) checkName(s source, f *inputFile, sample inputs.Sample) *failure {
	named := strings.HasSuffix(f.Path, ".gz")
	archive := f.kind&inputs.Archives != 0 || s.takes&inputs.Archives != 0 && f.kind&s.takes == 0
	switch {
	case f.Size == 0 || archive || f.kind == inputs.Cluster || named == sample.Gzip:
		return nil
	case sample.Gzip:
		f.found += " with a name that does not end in .gz"
		return &failure{message: "the file is gzip, but its name does not end in .gz", hint: "rename it", status: statusUsage}
	case g.hadoop:
		f.found += " with a name that ends in .gz"
		return &failure{message: "the name ends in .gz, but the file is not gzip", hint: "rename it", status: statusUsage}
	}
	return nil
}

// hintFor says what to do with a file of a wrong kind.
func hintFor(takes, found inputs.Kind) string {
	switch {
	case found == inputs.Zstandard && takes&inputs.Archives != 0:
		return "recompress it with gzip, each record a member of its own"
	case found&(inputs.Zstandard|inputs.Bzip2|inputs.XZ|inputs.Zip) != 0:
		return "uncompress it, or compress it with gzip"
	case found&inputs.Archives != 0 && takes&inputs.CDXJ != 0:
		return "jobs/index.sh makes an index of archive files"
	case found&inputs.Archives != 0 && takes == inputs.Documents:
		return "jobs/select.sh --save documents makes documents of archive files"
	case found == inputs.Cluster && takes&inputs.CDXJ != 0:
		return "give the folder that it is in"
	case found == inputs.HTML:
		return "is it the answer of a server that does not have the file?"
	}
	return ""
}

// isEmpty reports whether there is no input file, and no pipe.
func (g *gathering) isEmpty() bool {
	for _, p := range g.parts {
		if p.listed && (p.piped || len(p.files) > 0) {
			return false
		}
	}
	return true
}

// list returns the lines of the input files, PATH TAB SIZE TAB MODIFIED TAB KIND, and
// those of what else is read. The kind is a word that job scripts know.
func (g *gathering) list() (listed, others []byte) {
	for _, p := range g.parts {
		for _, f := range p.files {
			line := fmt.Appendf(nil, "%s\t%d\t%d\t%s\n", f.Path, f.Size, f.ModTime.Unix(), f.word())
			if p.listed {
				listed = append(listed, line...)
			} else {
				others = append(others, line...)
			}
		}
	}
	return listed, others
}

// answer tells the job script what it has to know besides the files, one thing a line:
//
//	say TEXT                 for the user
//	input OPTION TAB PATH    the paths to be read, where they are not as they were given
//	also PATH TAB NEW        of what else is read, likewise; of several a line each
func (g *gathering) answer() []byte {
	var b bytes.Buffer
	empty, files := 0, 0
	for _, p := range g.parts {
		for _, f := range p.files {
			if p.listed {
				if files++; f.kind == inputs.Empty {
					empty++
				}
			}
		}
		switch {
		case p.listed && p.whole && !p.piped:
			fmt.Fprintf(&b, "input %s\t%s\n", p.option, p.path)
		case p.listed:
			for _, f := range p.files {
				fmt.Fprintf(&b, "input %s\t%s\n", p.option, f.Path)
			}
		case p.piped || !p.whole:
			for _, f := range p.files {
				fmt.Fprintf(&b, "also %s\t%s\n", cmp.Or(p.given, p.path), f.Path)
			}
		case p.given != "":
			fmt.Fprintf(&b, "also %s\t%s\n", p.given, p.path)
		}
	}
	if empty > 0 && empty == files {
		g.said = append(g.said, "the input is empty")
	}
	for _, text := range g.said {
		fmt.Fprintf(&b, "say %s\n", text)
	}
	return b.Bytes()
}
