package jobs

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// write makes a file of the case.
func (p *probe) write(name string, content []byte) (string, error) {
	path := filepath.Join(p.dir, name)
	return path, os.WriteFile(path, content, 0o666)
}

// flat are the options of the case.
func (p *probe) flat() []string { return slices.Concat(p.c.Options...) }

// inputs are the archive files behind an option, forwards and backwards.
func (p *probe) inputs(option string) (forwards, backwards []string) {
	forwards = append([]string{option}, p.files...)
	backwards = slices.Clone(p.files)
	slices.Reverse(backwards)
	return forwards, append([]string{option}, backwards...)
}

// tasks are ways to run a job with few and with many tasks.
func (p *probe) tasks(more ...string) []way {
	return []way{
		{name: "one map task", args: append([]string{"--maps", "1"}, more...), env: p.one(processors).env},
		{name: "seven map tasks", args: append([]string{"--maps", "7"}, more...)},
	}
}

// ofArchives runs a job on the archives in both orders, with few and many tasks.
func (p *probe) ofArchives(script string) error {
	forwards, backwards := p.inputs("--input")
	want, err := p.sameJob(script, append(forwards, p.flat()...), append(p.tasks(), p.faults()...)...)
	if err != nil {
		return err
	}
	got, err := p.job(way{name: "archives backwards"}, script, append(backwards, p.flat()...)...)
	if err != nil {
		return err
	}
	return p.differ(script+": archives backwards", len(want.Files), want.plain(), got.plain())
}

func (p *probe) indexJob() error    { return p.ofArchives("index.sh") }
func (p *probe) deriveJob() error   { return p.ofArchives("derive.sh") }
func (p *probe) webgraphJob() error { return p.ofArchives("webgraph.sh") }

// selectOptions are the options of a selection, without its input.
func (p *probe) selectOptions() []string {
	args := p.flat()
	if p.c.Where != "" {
		args = append(args, "--where", p.c.Where)
	}
	if p.c.Sample != "" {
		args = append(args, "--sample", p.c.Sample)
	}
	if p.c.Pick != "" {
		args = append(args, "--pick", p.c.Pick, "--per", p.c.Per)
	}
	for _, condition := range p.c.Keep {
		args = append(args, "--keep", condition)
	}
	forms := []string{p.c.Form}
	if p.random.chance(40) {
		forms = []string{pick(p.random, "warc", "cdxj", "cdx")}
	}
	args = append(args, "--save", forms[0])
	switch forms[0] {
	case "json", "documents", "text":
		args = append(args, "--enrich", strings.Join(p.listed(), ","))
	case "csv", "parquet":
		var columns []string
		for i, value := range p.listed() {
			columns = append(columns, fmt.Sprintf("v%d = value(%q)", i, value))
		}
		args = append(args, "--columns", "filename,offset,"+strings.Join(columns, ","))
		if p.random.chance(20) {
			args = append(args, "--count", "n")
		}
	}
	return args
}

// selectJob selects in pipes, and with an engine.
func (p *probe) selectJob() error {
	forwards, backwards := p.inputs("--archives")
	args := p.selectOptions()
	want, err := p.sameJob("select.sh", append(forwards, args...), append(p.tasks("--small", "0"), p.faults()...)...)
	if err != nil {
		return err
	}
	got, err := p.job(way{name: "archives backwards", args: []string{"--small", "0", "--reducers", "3"}}, "select.sh", append(backwards, args...)...)
	if err != nil {
		return err
	}
	if slices.Contains(args, "--count") { // a reducer makes a part of the table
		return nil
	}
	return p.differ("select.sh: archives backwards", len(want.Files), want.plain(), got.plain())
}

// listed are the values of the case that need none of its other options.
func (p *probe) listed() []string {
	return slices.DeleteFunc(slices.Clone(p.c.Values), func(value string) bool {
		return strings.HasSuffix(value, ".start") || strings.HasSuffix(value, ".echo")
	})
}

// extractJob copies the records that an index names.
func (p *probe) extractJob() error {
	index, err := p.index()
	if err != nil || len(index) == 0 {
		return err
	}
	file, err := p.write("index.cdxj", index)
	if err != nil {
		return err
	}
	args := append([]string{"--input", file, "--archives", filepath.Join(p.dir, "archives")}, p.flat()...)
	want, err := p.sameJob("extract.sh", args, append(p.faults(), way{name: "seven map tasks", args: []string{"-D", "mapreduce.job.maps=7"}})...)
	if err != nil {
		return err
	}
	// Where the record files begin is another matter with --maps and --reducers.
	for _, tasks := range [][]string{{"--reducers", "3"}, {"--maps", "3"}} {
		got, err := p.job(way{name: tasks[0], args: tasks}, "extract.sh", args...)
		if err != nil {
			return err
		}
		a, b := copied(want), copied(got)
		if err := p.differ("extract.sh: records with "+tasks[0], len(a), a, b); err != nil {
			return err
		}
	}
	return nil
}

// copied gives the records of an extraction, with their sources.
func copied(o *outcome) []string {
	var all []string
	for line := range strings.Lines(o.Files["manifest.tsv"]) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		from, e1 := strconv.Atoi(f[1])
		length, e2 := strconv.Atoi(f[2])
		file := o.Files[f[0]]
		if e1 != nil || e2 != nil || from+length > len(file) {
			all = append(all, "not there: "+line)
			continue
		}
		all = append(all, fmt.Sprintf("%q %x", f[3:], sha256.Sum256([]byte(file[from:from+length]))))
	}
	slices.Sort(all)
	return all
}

// ofIndex runs a job on the index of the archives: in one file and its order, and in
// several that are not sorted.
func (p *probe) ofIndex() error {
	index, err := p.index()
	if err != nil || len(index) == 0 {
		return err
	}
	script := p.c.Property + ".sh"
	file, err := p.write("index.cdxj", index)
	if err != nil {
		return err
	}
	want, err := p.sameJob(script, append([]string{"--input", file}, p.flat()...), append(p.tasks(), p.faults()[0], way{name: "three reducers", args: []string{"--reducers", "3"}})...)
	if err != nil {
		return err
	}
	lines := slices.Collect(strings.Lines(string(index)))
	p.random.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	args, files := []string{"--input"}, 3
	if script == "profile.sh" { // says how many files there are
		files = 1
	}
	for i, part := range pieces([]byte(strings.Join(lines, "")), files) {
		if file, err = p.write(fmt.Sprintf("part-%d.cdxj", i), []byte(part)); err != nil {
			return err
		}
		args = append(args, file)
	}
	got, err := p.job(way{name: "in any order"}, script, append(args, p.flat()...)...)
	if err != nil {
		return err
	}
	return p.differ(script+": lines in any order", len(want.Files), want.plain(), got.plain())
}

// redundancyJob finds a cover of the documents in the archives.
func (p *probe) redundancyJob() error {
	index, err := p.index()
	if err != nil {
		return err
	}
	plan, err := p.plan(index)
	if err != nil || len(plan) == 0 {
		return err
	}
	e, err := p.enrichment()
	if err != nil {
		return err
	}
	o, err := p.stage(way{name: "documents"}, plan, enrich, append(e.common, "--save", "documents")...)
	if err != nil {
		return err
	}
	file, err := p.write("documents.json.gz", []byte(o.Files["part-00000.json.gz"]))
	if err != nil {
		return err
	}
	args := append([]string{"--documents", file}, p.flat()...)
	_, err = p.sameJob("redundancy.sh", args, append(p.tasks(), p.faults()...)...)
	return err
}

// componentsJob finds the components of a graph in one task, and in rounds.
func (p *probe) componentsJob() error {
	var lines strings.Builder
	vertices := 2 + p.random.IntN(80)
	name := func() string {
		if n := p.random.IntN(vertices); n%7 != 0 {
			return fmt.Sprint(n)
		} else {
			return fmt.Sprintf("v%d", n)
		}
	}
	for range p.random.IntN(120) {
		fmt.Fprintf(&lines, "%s\t%s\n", name(), name())
	}
	file, err := p.write("edges.tsv", []byte(lines.String()))
	if err != nil {
		return err
	}
	args := []string{"--edges", file}
	want, err := p.sameJob("components.sh", args, p.one(processors))
	if err != nil {
		return err
	}
	for _, tasks := range []string{"1", "3"} {
		w := way{name: "in rounds, " + tasks + " tasks", args: []string{"--one-task", "0", "--held", pick(p.random, "2", "10", "1000"), "--reducers", tasks, "--maps", tasks}}
		got, err := p.job(w, "components.sh", args...)
		if err != nil {
			return err
		}
		if err := p.differ("components.sh: "+w.name, vertices, components(want), components(got)); err != nil {
			return err
		}
	}
	return nil
}

// components are the lines of all parts.
func components(o *outcome) []string {
	var all []string
	for name, content := range o.Files {
		if strings.HasPrefix(name, "components/") {
			all = slices.AppendSeq(all, strings.Lines(content))
		}
	}
	slices.Sort(all)
	return all
}

// jobOptions draws the options of a job.
func (s *same) jobOptions(r *random, property string) [][]string {
	var all [][]string
	some := func(percent int, option ...string) {
		if r.chance(percent) {
			all = append(all, option)
		}
	}
	switch property {
	case "select-job":
		some(60, "--max-size", pick(r, "3kB", "20kB", "200kB"))
		some(40, "--revisits", pick(r, "keep", "drop"))
	case "index":
		all = append(all, []string{"--format", pick(r, "cdxj", "cdxj-cc", "cdxj-all", "cdx11", "cdx9")})
		some(40, "--zipnum")
		some(40, "--parquet")
		some(30, "--per-file")
		some(40, "--shards", pick(r, "2", "5"))
		some(20, "--verify-digests")
		some(20, "--post-append")
		some(20, "--crawl-metadata")
		some(20, "--records", pick(r, "response", "request,response", "revisit,metadata"))
	case "derive":
		some(70, "--make", pick(r, "wat", "wet", "meta", "cdxj", "links", "wat,wet,meta,cdxj,links"))
	case "extract":
		some(60, "--format", pick(r, "warc", "arc"))
		some(60, "--max-size", pick(r, "3kB", "20kB", "200kB"))
		some(30, "--order", "input")
		some(30, "--unique")
		some(40, "--verify", pick(r, "url", "digest"))
	case "mementomap":
		some(30, "--where", "status == 200")
		some(30, "--skip-robots")
		some(30, "--gzip")
		some(30, "--target-lines", pick(r, "3", "20"))
		if len(all) == 0 || all[len(all)-1][0] != "--target-lines" {
			some(30, "--host-weight", pick(r, "0.5", "1", "inf"))
			some(30, "--path-weight", pick(r, "0.5", "1", "inf"))
		}
	case "summary":
		some(30, "--samples", pick(r, "1", "100"))
		some(30, "--top-hosts", pick(r, "1", "3"))
	case "profile":
		some(30, "--where", "status == 200")
		some(30, "--top", pick(r, "1", "3"))
	case "webgraph":
		some(50, "--level", "domain")
		some(40, "--links", pick(r, "requisites", "all"))
		some(30, "--nofollow", "drop")
		some(50, "--weights")
		some(30, "--reducers", "3")
	case "redundancy":
		all = append(all, pick(r, []string{"--preset", "A-1"}, []string{"--preset", "B-1"},
			[]string{"--cover", "containment(a, b) >= 0.5 && a.timestamp <= b.timestamp"}, []string{"--cover", "jaccard(a, b) >= 0.3"}))
		some(30, "--shingle-size", pick(r, "1", "3"))
		some(30, "--hash-bits", "128")
		some(30, "--block-size", pick(r, "4kB", "100kB"))
		some(30, "--weight", "bytes + 1")
	}
	return all
}
