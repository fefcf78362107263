package jobfiles

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// What _rejects.tsv has of a job at most, unless keep-rejects says another number of
// lines: each of its tasks can have kept a tenth of that.
const (
	keptLines = 100_000
	keptBytes = 256 << 20
)

// A reason is how often a stage has rejected something for reasons of one kind.
type reason struct {
	stage, class string
	count        int64
	example      string // a reason of the kind, as it was
}

// maxReasons is how many kinds of reasons are told apart.
const maxReasons = 1000

// reasonCounts adds reasons up.
type reasonCounts map[[2]string]*reason

func (c reasonCounts) add(program, class, example string, n int64) {
	key := [2]string{program, class}
	r := c[key]
	if r == nil && len(c) >= maxReasons {
		key[1], example = stage.OtherReasons, ""
		r = c[key]
	}
	if r == nil {
		r = &reason{stage: program, class: key[1], example: example}
		c[key] = r
	}
	r.count += n
}

// list returns the reasons, the most frequent first.
func (c reasonCounts) list() []reason {
	var all []reason
	for _, r := range c {
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b reason) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.stage, b.stage), cmp.Compare(a.class, b.class))
	})
	return all
}

// collectRejects puts the rejects of all stages together in the work folder, sorted by
// their bytes, and counts them by reason. Behind the lines that are kept stand, for
// each stage and kind of reason, how many are not.
func (e *ending) collectRejects() error {
	files, err := e.rejectFiles()
	if err != nil {
		return err
	}
	keep := int64(keptLines)
	if text := e.options.text("keep-rejects"); text != "" {
		if keep, err = strconv.ParseInt(text, 10, 64); err != nil {
			return errUsage
		}
	}
	all, left := reasonCounts{}, reasonCounts{}
	err = e.write(storage.Join(e.work, rejectsName), func(w io.Writer) error {
		if len(files) == 0 {
			return nil
		}
		if err := sortRejects(files, all, left, &keeper{w: w, lines: keep, bytes: keptBytes, left: left}); err != nil {
			return err
		}
		return writeLeft(w, left)
	})
	e.reasons = all.list()
	return err
}

func (e *ending) putRejects() error {
	return e.move(rejectsName)
}

// rejectFiles lists the rejects of all tasks.
func (e *ending) rejectFiles() ([]storage.Info, error) {
	var files []storage.Info
	for _, stage := range e.options["stage"] {
		dir := storage.Join(e.work, stage+"/_rejects")
		there, err := storage.Exists(dir)
		if err != nil {
			return nil, err
		}
		if !there {
			continue
		}
		some, err := storage.Expand(dir)
		if err != nil {
			return nil, err
		}
		files = append(files, some...)
	}
	return files, nil
}

// sortRejects writes the lines of rejects in the order of their bytes, by GNU sort
// within a bound of memory. Those that tell how many were left out are added up.
func sortRejects(files []storage.Info, all, left reasonCounts, kept *keeper) error {
	sort := exec.Command("sort", "-S", "32M")
	sort.Env = append(os.Environ(), "LC_ALL=C")
	var said bytes.Buffer
	sort.Stdout, sort.Stderr = kept, &said
	in, err := sort.StdinPipe()
	if err != nil {
		return err
	}
	if err := sort.Start(); err != nil {
		return err
	}
	w := bufio.NewWriter(in)
	for _, f := range files {
		if err = readRejects(f.Path, all, left, w); err != nil {
			break
		}
	}
	err = errors.Join(err, w.Flush(), in.Close())
	if e := sort.Wait(); e != nil {
		err = errors.Join(err, fmt.Errorf("sort: %w: %s", e, said.String()))
	}
	return err
}

// readRejects counts the rejects of a task, and writes those to w that are there.
func readRejects(name string, all, left reasonCounts, w *bufio.Writer) error {
	in, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer in.Close()
	for line, err := range lines.All(in, 0) {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		program, why, n := parseReject(line)
		if n > 0 {
			all.add(program, why, why, n)
			left.add(program, why, "", n)
			continue
		}
		all.add(program, stage.ReasonClass(why), why, 1)
		w.Write(line) // the error stays
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// parseReject takes a line apart: who has rejected something and why. n is 0 for a line
// of one input, else how many were left out.
func parseReject(line []byte) (program, why string, n int64) {
	f := strings.Split(string(line), "\t")
	program = f[0]
	if len(f) > 1 {
		plain, err := stage.AppendUnescaped(nil, []byte(f[1]))
		if why = string(plain); err != nil {
			why = f[1]
		}
	}
	if len(f) == 4 {
		n, _ = strconv.ParseInt(f[3], 10, 64)
	}
	return program, why, n
}

// A keeper passes whole lines on up to a number of lines and bytes, and counts the
// others by reason.
type keeper struct {
	w            io.Writer
	lines, bytes int64 // that may still be written
	line         []byte
	left         reasonCounts
}

func (k *keeper) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			k.line = append(k.line, rest...)
			break
		}
		k.line = append(k.line, rest[:i+1]...)
		rest = rest[i+1:]
		if k.lines--; k.lines >= 0 && k.bytes > 0 {
			k.bytes -= int64(len(k.line))
			if _, err := k.w.Write(k.line); err != nil {
				return 0, err
			}
		} else {
			program, why, _ := parseReject(k.line[:len(k.line)-1])
			k.left.add(program, stage.ReasonClass(why), "", 1)
		}
		k.line = k.line[:0]
	}
	return len(p), nil
}

// writeLeft writes the lines of four fields that tell what is not there.
func writeLeft(w io.Writer, left reasonCounts) error {
	all := left.list()
	slices.SortStableFunc(all, func(a, b reason) int { return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.class, b.class)) })
	for _, r := range all {
		if _, err := fmt.Fprintf(w, "%s\t%s\t\t%d\n", r.stage, stage.AppendEscaped(nil, []byte(r.class)), r.count); err != nil {
			return err
		}
	}
	return nil
}

// describeReasons adds to _job.json how often something was rejected and why.
func (e *ending) describeReasons(b *bytes.Buffer) {
	if len(e.reasons) == 0 {
		return
	}
	b.WriteString(",\n  \"reasons\": [")
	for i, r := range e.reasons {
		fmt.Fprintf(b, "%s\n    {\"stage\": %s, \"reason\": %s, \"count\": %d}", strings.TrimSpace(comma(i)), quoted(r.stage), quoted(r.class), r.count)
	}
	b.WriteString("\n  ]")
}

// useful fails a job that could use nothing of its input: used counts what it could.
// That a condition selects nothing is no failure, and says so.
func (e *ending) useful() error {
	text := e.options.text("used")
	if text == "" {
		return nil
	}
	used, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return errUsage
	}
	if used > 0 || e.rejects == 0 {
		return nil
	}
	f := &failure{message: fmt.Sprintf("nothing of the input could be used: %d rejected", e.rejects)}
	given := slices.DeleteFunc(slices.Clone(e.reasons), func(r reason) bool { return strings.HasPrefix(r.class, stage.WarningPrefix) })
	for i, r := range given {
		if i == 3 {
			f.message += ", and others"
			break
		}
		f.message += fmt.Sprintf("; %d by %s: %s", r.count, r.stage, cut(r.example, 300))
	}
	if looked := e.options.text("looked"); looked != "" {
		f.message += "; " + looked
	}
	f.hint = "the rejects are in " + storage.Join(e.work, rejectsName)
	return errors.Join(f, e.forgetRejecting())
}

// forgetRejecting removes the marks of the stages that have rejected something: once
// what they lacked is in its place, --resume does them again.
func (e *ending) forgetRejecting() error {
	for _, c := range e.counters {
		if c.name == "rejected" && c.value > 0 {
			if err := storage.RemoveAll(storage.Join(e.work, c.stage+".done")); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut shortens a text for a message.
func cut(text string, n int) string {
	if len(text) > n {
		return strings.ToValidUTF8(text[:n], "") + "…"
	}
	return text
}
