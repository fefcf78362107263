package jobs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"archivestream/lib/stage"
	"archivestream/lib/suite"
)

type random struct{ *rand.Rand }

func newRandom(seed, stream uint64) *random { return &random{rand.New(rand.NewPCG(seed, stream))} }

// chance is true so many times of a hundred.
func (r *random) chance(percent int) bool { return r.IntN(100) < percent }

func pick[T any](r *random, all ...T) T { return all[r.IntN(len(all))] }

// archives lists the archive files that there are to draw from.
func (s *same) archives() []string {
	s.Helper()
	var all []string
	add := func(prefix, dir string) {
		files, err := contents(dir)
		if err != nil {
			s.Fatal(err)
		}
		for name, content := range files {
			if isArchive.MatchString(name) && len(content) < 3<<20 {
				all = append(all, prefix+name)
			}
		}
	}
	add("testdata/archives/", filepath.Join(root, "testdata/archives"))
	add("testdata/odd/", filepath.Join(root, "testdata/odd"))
	if dir := os.Getenv("ARCHIVESTREAM_DATA"); dir != "" {
		add("data/", dir)
	}
	slices.Sort(all)
	return all
}

var isArchive = regexp.MustCompile(`\.w?arc(\.gz)?$`)

// materialize makes the archive files of a case. Each has a name of its own, whose
// order is that of the case.
func (s *same) materialize(files []drawnFile, dir string) ([]string, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	var paths []string
	for i, f := range files {
		name, content, err := f.content()
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, fmt.Sprintf("%02d-%s", i, name))
		if err := os.WriteFile(path, content, 0o666); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// content is the file's name and bytes.
func (f *drawnFile) content() (name string, content []byte, err error) {
	if seed, ok := strings.CutPrefix(f.From, "made:"); ok {
		n, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return "", nil, err
		}
		name, content = madeArchive(n)
	} else {
		path := filepath.Join(root, f.From)
		if rest, ok := strings.CutPrefix(f.From, "data/"); ok {
			path = filepath.Join(os.Getenv("ARCHIVESTREAM_DATA"), rest)
		}
		name = filepath.Base(path)
		if content, err = os.ReadFile(path); err != nil {
			return "", nil, err
		}
	}
	kind, rest, _ := strings.Cut(f.Damage, ":")
	n, err := strconv.Atoi(rest)
	switch {
	case kind == "" || len(content) == 0:
		return name, content, nil
	case err != nil:
		return "", nil, err
	case kind == "cut":
		return name, content[:len(content)*n/1000], nil
	case kind == "flip":
		r := newRandom(uint64(n), 3)
		content = slices.Clone(content)
		for range 1 + r.IntN(4) {
			content[r.IntN(len(content))] ^= 1 << r.IntN(8)
		}
		return name, content, nil
	}
	return "", nil, fmt.Errorf("damage %q is not known", f.Damage)
}

// draw makes the case of a seed.
func (s *same) draw(seed uint64) *drawnCase {
	r := newRandom(seed, 1)
	c := &drawnCase{Seed: seed, Property: "select"}
	if at := r.IntN(100); r.IntN(1000) < s.jobs {
		for _, w := range jobWeights {
			if c.Property = w.property; at < w.weight {
				break
			}
			at -= w.weight
		}
	}
	for range 1 + r.IntN(4) {
		f := drawnFile{From: fmt.Sprintf("made:%d", r.Uint64()%1e6)}
		if r.chance(40) {
			f.From = pick(r, s.sources...)
		}
		if r.chance(10) {
			f.Damage = pick(r, fmt.Sprintf("cut:%d", r.IntN(1000)), fmt.Sprintf("flip:%d", r.IntN(1e6)))
		}
		c.Files = append(c.Files, f)
		if r.chance(10) { // the same captures in another file
			c.Files = append(c.Files, f)
		}
	}
	c.Where = pick(r, "", "", "", "", "status == 200", "status != 200", `mime contains "html"`, `mime != "warc/revisit"`, "length > 700",
		"year >= 2008 && year < 2021", `not (url contains "?")`, `host endsWith "example"`, `digest > "M"`, "month in 3..9 || offset < 4000",
		`surt startsWith "com," or len(domain) % 2 == 0`, `timestamp >= "2008" && timestamp < "2015"`)
	c.Sample = pick(r, "", "", "", "", "0.5", "0.9")
	c.Pick = pick(r, "", "", "", "latest", "earliest", "first-per-digest")
	c.Per = pick(r, "url", "host", "domain", "year")
	c.Form = pick(r, s.values.forms...)
	s.values.draw(r, c)
	c.Options = s.jobOptions(r, c.Property)
	return c
}

// values are those that a user can ask for, as enrich-captures --help lists them.
type values struct {
	program string
	paths   []string // that the help lists, with examples of arguments
	names   []string // last elements of these
	forms   []string // of --save that make a file
	known   sync.Map // bool by path: whether a path that was put together is one
}

// examples of what stands in the parentheses of a path, by the name before them.
var examples = map[string][]string{
	"html":      {"a[href]", "title", "p", "h1", "img", "div.content > p"},
	"attribute": {"href", "class", "content"},
	"json":      {".", "items[0].name", "url", "[0]"},
	"xml":       {"rss/channel/item/title", "feed/link/@href", "html/head/title"},
}

// sameOptions are the options of enrich-captures that TestSame knows: those that it
// draws or varies, and those that have no part in what is derived.
var sameOptions = []string{
	"archives", "path-index", "enrich", "map-enrich", "enrich-with", "keep", "save", "columns", "each", "pretty", "max-payload", "workers",
	"verify", "check", "max-line", "keep-rejects", "keep-reject-bytes", "timeout", "read-pdfs", "output", "rejects", "help, --version", "raw-csv",
}

// knownValues reads what enrich-captures says of itself. An option that it has and this
// test does not know is an error: it must be drawn.
func (s *same) knownValues() *values {
	s.Helper()
	v := &values{program: filepath.Join(root, "bin", enrich)}
	program, _ := suite.Find(enrich)
	command, forms := program.Command(), ""
	for _, o := range stage.Options(command) {
		name := strings.TrimPrefix(o.Name, "--")
		if !slices.Contains(sameOptions, name) {
			s.Errorf("enrich-captures has an option --%s that TestSame does not draw", name)
		}
		if name == "save" {
			forms = o.Text
		}
	}
	_, list, _ := strings.Cut(command.Description, "Paths:")
	for line := range strings.Lines(list) {
		path, _, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			continue
		}
		all := elements(path)
		last := all[len(all)-1]
		name, _, argument := strings.Cut(last, "(")
		if !argument {
			v.add(path, last)
			continue
		}
		if len(examples[name]) == 0 {
			s.Errorf("TestSame has no example of an argument of %s", path)
		}
		for _, example := range examples[name] {
			last := name + "(" + example + ")"
			v.add(strings.Join(append(slices.Clone(all[:len(all)-1]), last), "."), last)
		}
	}
	if len(v.paths) < 30 {
		s.Fatalf("enrich-captures --help lists only %d paths", len(v.paths))
	}
	for _, form := range []string{"json", "csv", "parquet", "documents", "text"} {
		if strings.Contains(forms, form) {
			v.forms = append(v.forms, form)
		}
	}
	if v.is("nothing.of.this.name") || !v.is(v.paths[0]) {
		s.Fatal("enrich-captures does not say which paths there are")
	}
	if len(v.forms) < 5 {
		s.Fatalf("enrich-captures --help lists only the forms %q", v.forms)
	}
	return v
}

func (v *values) add(path, last string) {
	v.paths = append(v.paths, path)
	if !slices.Contains(v.names, last) {
		v.names = append(v.names, last)
	}
}

// is reports whether enrich-captures takes a path.
func (v *values) is(path string) bool {
	if known, ok := v.known.Load(path); ok {
		return known.(bool)
	}
	ok := exec.Command(v.program, "--archives", root, "--enrich", path).Run() == nil
	v.known.Store(path, ok)
	return ok
}

// path draws a path: one of the help, or one put together.
func (v *values) path(r *random) string {
	for {
		path := pick(r, v.paths...)
		if path == "payload.pdf" && r.chance(70) { // starts a process
			continue
		}
		if r.chance(25) {
			path += "." + pick(r, v.names...)
		}
		if v.is(path) {
			return path
		}
	}
}

// draw draws values of a case, and conditions on them.
func (v *values) draw(r *random, c *drawnCase) {
	for range 1 + r.IntN(7) {
		if path := v.path(r); !slices.Contains(c.Values, path) {
			c.Values = append(c.Values, path)
		}
	}
	if r.chance(25) {
		condition := pick(r, "payload.length > 100", "title != nil", `payload.string contains "a"`, "status == 200 && payload.string.length > 50",
			"httpHeader != nil", `not (payload.mime startsWith "image/")`, fmt.Sprintf("value(%s) != nil", strconv.Quote(v.path(r))),
			fmt.Sprintf("value(%s) == nil", strconv.Quote(v.path(r))))
		c.Keep = append(c.Keep, condition)
		if r.chance(30) {
			c.Keep = append(c.Keep, pick(r, "payload.sha1 > \"8\"", `mime != "text/plain"`, "payload.string.html.links != nil"))
		}
	}
	if r.chance(10) {
		c.Extra = append(c.Extra, "--max-payload", pick(r, "1", "100", "4096", "65536"))
	}
	if r.chance(20) {
		c.Extra = append(c.Extra, "--verify", "digest")
	}
	if r.chance(8) {
		c.Extra = append(c.Extra, "--map-enrich", "payload.string start = len(payload.string) > 20 ? payload.string[:20] : payload.string")
		c.Values = append(c.Values, "payload.string.start")
	}
	if r.chance(4) {
		c.Extra = append(c.Extra, "--enrich-with", "payload.string echo = cat")
		c.Values = append(c.Values, "payload.string.echo")
	}
}
