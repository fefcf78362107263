package jobfiles

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/inputs"
	"archivestream/lib/storage"
)

// listable refuses a file whose name no list of paths can hold: each is a line, with
// tabs between what it says.
func listable(name string) error {
	if strings.IndexFunc(name, func(c rune) bool { return c < ' ' || c == 0x7f }) < 0 {
		return nil
	}
	return &failure{message: fmt.Sprintf("the name of %q holds a tab or a line end, or another control character", name), hint: "rename the file"}
}

// names checks a job's list of archive files, lines PATH or PATH TAB NAME, whose names
// become those of what is made of them: each can be there once, and lines of the layout
// must be able to hold it. A name is the second
// field of its line, or of the path the last element, what stands after relative-to, or
// with full-paths all of it. With stems it writes the list to another file, with what
// the names of derivatives begin with as a third field where that is not the name
// without .gz.
func names(_ string, o options, _ io.Writer) error {
	list, err := readAll(o.text("list"))
	if err != nil {
		return err
	}
	layout := cdx.LayoutCDXJ
	if name := o.text("layout"); name != "" {
		if layout, err = cdx.ParseLayout(name); err != nil {
			return err
		}
	}
	n := naming{layout: layout, relativeTo: strings.TrimRight(o.text("relative-to"), "/") + "/", full: o.text("full-paths") != "", hint: o.text("hint"),
		paths: map[string]string{}}
	for line := range bytes.Lines(list) {
		if err := n.add(string(bytes.TrimSuffix(line, []byte("\n")))); err != nil {
			return err
		}
	}
	if o.text("stems") == "" {
		return nil
	}
	var out bytes.Buffer
	stems := n.stems()
	for _, line := range n.lines {
		out.WriteString(line.text)
		if stem := stems[line.name]; stem != strings.TrimSuffix(line.name, ".gz") {
			if !strings.Contains(line.text, "\t") {
				out.WriteByte('\t')
			}
			out.WriteString("\t" + path.Base(stem))
		}
		out.WriteByte('\n')
	}
	return keepOrWrite(o.text("stems"), out.Bytes())
}

// A naming is what the archive files of a list are called.
type naming struct {
	layout     cdx.Layout
	relativeTo string // with a slash at its end
	full       bool
	hint       string
	paths      map[string]string // by name
	lines      []namedLine
}

type namedLine struct{ text, name string }

func (n *naming) add(line string) error {
	if line == "" {
		return nil
	}
	from, name, given := strings.Cut(line, "\t")
	switch {
	case given:
	case n.full:
		name = from
	case n.relativeTo != "/" && strings.HasPrefix(from, n.relativeTo):
		name = strings.TrimLeft(from[len(n.relativeTo):], "/")
	default:
		name = path.Base(from)
	}
	if !n.layout.Holds([]byte(name)) {
		return unheld(from, n.layout)
	}
	if err := twice(name, n.paths[name], from, n.hint); err != nil {
		return err
	}
	n.paths[name] = from
	n.lines = append(n.lines, namedLine{line, name})
	return nil
}

// unheld is the error of a name that no line of the layout can hold.
func unheld(name string, layout cdx.Layout) error {
	if layout.Form() == cdx.FormCDXJ {
		return &failure{message: fmt.Sprintf("the name of %q is not UTF-8, as an index must be", name), hint: "rename the file"}
	}
	return &failure{message: fmt.Sprintf("a space is in the name of %q, which CDX cannot hold", name), hint: "rename the file, or make CDXJ"}
}

// twice is the error of a second archive file of one name, unless there is no first.
func twice(name, first, second, hint string) error {
	switch {
	case first == "":
		return nil
	case path.Clean(first) == path.Clean(second):
		return &failure{message: fmt.Sprintf("the archive file %s is given twice", second), hint: "give each once"}
	}
	return &failure{message: fmt.Sprintf("two archive files are called %s: %s and %s", name, first, second), hint: hint}
}

// stems returns what the names of the derivatives of each archive file begin with: its
// name without .gz. A file that is not called .gz and would share that with one that is
// gets another, which no other file has.
func (n *naming) stems() map[string]string {
	stems, used := map[string]string{}, map[string]bool{}
	var left []string
	for _, line := range n.lines {
		stem, zipped := strings.CutSuffix(line.name, ".gz")
		if !zipped && n.paths[stem+".gz"] != "" {
			left = append(left, line.name)
			continue
		}
		stems[line.name], used[stem] = stem, true
	}
	slices.Sort(left)
	for _, name := range left {
		stem := name
		for used[stem] {
			stem += ".plain"
		}
		stems[name], used[stem] = stem, true
	}
	return stems
}

// archives writes a path index, lines NAME TAB PATH sorted by name, of the files of
// another one (path-index), of folders and globs (archives) and of a list of paths
// (list), and refuses two archive files of one name. Of other files of one name none is
// in it. What is given twice counts once.
func archives(_ string, o options, _ io.Writer) error {
	to, err := storage.Create(o.text("to"))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	p := pathIndexer{out: out, hint: o.text("hint")}
	err = sorted(p.line, []string{"-t", "\t", "-k1,1"}, func(w io.Writer) error { return feedArchives(w, o) })
	if err == nil {
		err = p.give()
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		to.Abort()
		return err
	}
	return to.Close()
}

// feedArchives gives the lines of a path index in any order.
func feedArchives(w io.Writer, o options) error {
	if index := o.text("path-index"); index != "" {
		f, err := storage.OpenStream(index)
		if err != nil {
			return &failure{message: fmt.Sprintf("the path index %s cannot be read: %v", index, err)}
		}
		defer f.Close()
		lines := bufio.NewReader(f)
		for number := 1; ; number++ {
			line, err := lines.ReadString('\n')
			if err != nil && err != io.EOF {
				return &failure{message: fmt.Sprintf("the path index %s cannot be read: %v", index, err)}
			}
			last := err == io.EOF
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				if name, at, ok := strings.Cut(line, "\t"); !ok || name == "" || at == "" {
					return &failure{message: fmt.Sprintf("line %d of the path index %s: expected a name, a tab and a path, found %q", number, index, line)}
				}
				if _, err := io.WriteString(w, line+"\n"); err != nil {
					return err
				}
			}
			if last {
				break
			}
		}
	}
	for _, folder := range o["archives"] {
		files, err := storage.Expand(folder)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := feedArchive(w, f.Path); err != nil {
				return err
			}
		}
	}
	if list := o.text("list"); list != "" {
		paths, err := readAll(list)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(paths)) {
			name := strings.TrimSuffix(line, "\n")
			if !cdx.LayoutAll.Holds([]byte(path.Base(name))) {
				return unheld(name, cdx.LayoutAll)
			}
			if err := feedArchive(w, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func feedArchive(w io.Writer, name string) error {
	if err := listable(name); err != nil {
		return err
	}
	_, err := io.WriteString(w, path.Base(name)+"\t"+name+"\n")
	return err
}

// A pathIndexer takes the lines of a path index in order and writes each name once.
type pathIndexer struct {
	out        *bufio.Writer
	hint       string
	name, path string // of the line before; empty: none that is to be written
}

func (p *pathIndexer) line(line []byte) error {
	name, at, _ := strings.Cut(string(line), "\t")
	if name != p.name {
		if err := p.give(); err != nil {
			return err
		}
		p.name, p.path = name, at
		return nil
	}
	if path.Clean(at) == path.Clean(p.path) {
		return nil
	}
	first, err := isArchive(p.path)
	if err != nil {
		return err
	}
	second, err := isArchive(at)
	switch {
	case err != nil:
		return err
	case first && second:
		return twice(name, p.path, at, p.hint)
	case second:
		p.path = at
	}
	return nil
}

// give writes the line before.
func (p *pathIndexer) give() error {
	if p.name == "" {
		return nil
	}
	_, err := fmt.Fprintf(p.out, "%s\t%s\n", p.name, p.path)
	return err
}

// isArchive reports whether a file is an archive or, being damaged, is called one. The
// tables that lie beside archives are none.
func isArchive(name string) (bool, error) {
	f, err := storage.Open(name)
	if err != nil {
		return true, nil // whoever needs it is told
	}
	defer f.Close()
	sample, err := inputs.Read(f, f.Size())
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	if sample.Kind() == inputs.Empty {
		return false, nil
	}
	called := strings.TrimSuffix(name, ".gz")
	return sample.Fits(inputs.ARC|inputs.WARC) || strings.HasSuffix(called, ".arc") || strings.HasSuffix(called, ".warc"), nil
}

// sorted calls each with the lines of feed, sorted by GNU sort within a bound of memory.
func sorted(each func(line []byte) error, args []string, feed func(io.Writer) error) error {
	sort := exec.Command("sort", append([]string{"-S", "32M"}, args...)...)
	sort.Env = append(os.Environ(), "LC_ALL=C")
	var said bytes.Buffer
	sort.Stderr = &said
	in, err := sort.StdinPipe()
	if err != nil {
		return err
	}
	out, err := sort.StdoutPipe()
	if err != nil {
		return err
	}
	if err := sort.Start(); err != nil {
		return err
	}
	fed := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(in)
		err := feed(w)
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			sort.Process.Kill() // half a list is none
		}
		fed <- errors.Join(err, in.Close())
	}()
	lines := bufio.NewReader(out)
	for err == nil {
		var line []byte
		if line, err = lines.ReadBytes('\n'); err == nil {
			err = each(line[:len(line)-1])
		}
	}
	if err == io.EOF {
		err = nil
	} else {
		sort.Process.Kill()
	}
	failed := <-fed
	if e := sort.Wait(); e != nil && err == nil && failed == nil {
		err = fmt.Errorf("sort: %w: %s", e, said.String())
	}
	if err == nil {
		err = failed
	}
	return err
}
