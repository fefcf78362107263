package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// mostLines is of how many captures values are derived in a case.
const mostLines = 24

// selection holds what jobs/select.sh is made of against itself: the index of the
// archives, the captures that are taken, and the values that are derived from them.
func (p *probe) selection() error {
	index, err := p.index()
	if err != nil {
		return err
	}
	plan, err := p.plan(index)
	if err != nil || len(plan) == 0 {
		return err
	}
	if all := slices.Collect(strings.Lines(string(plan))); len(all) > mostLines {
		begin := p.random.IntN(len(all) - mostLines + 1)
		plan = []byte(strings.Join(all[begin:begin+mostLines], ""))
	}
	e, err := p.enrichment()
	if err != nil {
		return err
	}
	return e.check(plan)
}

// index is the index of the archives, whatever their order.
func (p *probe) index() ([]byte, error) {
	list := strings.Join(p.files, "\n") + "\n"
	backwards := slices.Clone(p.files)
	slices.Reverse(backwards)
	want, err := p.stage(way{name: "as usual"}, []byte(list), "index-archives", "--format", "cdxj-all")
	if err != nil {
		return nil, err
	}
	lines := sorted(want.Out)
	w := p.one(processors)
	got, err := p.stage(w, []byte(strings.Join(backwards, "\n")+"\n"), "index-archives", "--format", "cdxj-all", "--workers", "3")
	if err != nil {
		return nil, err
	}
	return lines, p.differ("index lines: archives backwards", strings.Count(want.Out, "\n"),
		[]any{want.Status, string(lines), want.Rejects}, []any{got.Status, string(sorted(got.Out)), got.Rejects})
}

func (p *probe) one(ways []way) way { return ways[p.random.IntN(len(ways))] }

// plan is the captures of an index that the case takes.
func (p *probe) plan(index []byte) ([]byte, error) {
	options := []string{"--where", p.c.Where, "--seed", "7"}
	if p.c.Sample != "" {
		options = append(options, "--sample", p.c.Sample)
	}
	if p.c.Pick != "" {
		options = append(options, "--pick", p.c.Pick, "--per", p.c.Per)
	}
	picked := func(o *outcome) ([]byte, error) {
		if p.c.Pick == "" {
			return sorted(o.Out), nil
		}
		o, err := p.stage(way{name: "pick"}, sorted(o.Out), "pick-captures")
		if err != nil {
			return nil, err
		}
		return sorted(o.Out), nil
	}
	want, err := p.sameStage(index, []way{p.one(processors)}, "filter-captures", options...)
	if err != nil {
		return nil, err
	}
	plan, err := picked(want)
	if err != nil {
		return nil, err
	}
	got, err := p.inPieces(index, 3, "filter-captures", options...)
	if err != nil {
		return nil, err
	}
	lines, err := picked(got)
	if err != nil {
		return nil, err
	}
	if err := p.differ("lines of a plan: other tasks", 1+strings.Count(string(plan), "\n"), string(plan), string(lines)); err != nil {
		return nil, err
	}
	file, err := p.write("index.cdxj", index)
	if err != nil {
		return nil, err
	}
	if p.random.chance(60) {
		return p.resolved(plan, index, file)
	}
	if got, err = p.stage(way{name: "searched"}, nil, "filter-captures", append(options, "--index", file)...); err != nil {
		return nil, err
	}
	if lines, err = picked(got); err != nil {
		return nil, err
	}
	if err := p.differ("lines of a plan: a search", 1+strings.Count(string(plan), "\n"), string(plan), string(lines)); err != nil {
		return nil, err
	}
	return p.resolved(plan, index, file)
}

// resolved is a plan of which revisits have the places of their originals: joined with
// the index, or searched in it first.
func (p *probe) resolved(plan, index []byte, file string) ([]byte, error) {
	if !strings.Contains(string(plan), "warc/revisit") {
		return plan, nil
	}
	wanted, err := p.write("plan.tsv", plan)
	if err != nil {
		return nil, err
	}
	join := func(parts ...string) (string, error) {
		found := ""
		for _, part := range parts {
			o, err := p.stage(way{name: "join"}, []byte(part), "find-originals", "--wanted", wanted)
			if err != nil {
				return "", err
			}
			found += o.Out
		}
		o, err := p.stage(way{name: "join"}, sorted(found), "resolve-revisits")
		if err != nil {
			return "", err
		}
		return string(sorted(o.Out)), nil
	}
	want, err := join(string(plan) + string(index))
	if err != nil {
		return nil, err
	}
	if p.random.chance(50) {
		got, err := join(append(pieces(index, 3), pieces(plan, 2)...)...)
		if err != nil {
			return nil, err
		}
		return []byte(want), p.differ("lines with originals: other tasks", strings.Count(want, "\n"), want, got)
	}
	o, err := p.stage(way{name: "searched"}, plan, "find-originals", "--index", file)
	if err != nil {
		return nil, err
	}
	got, err := join(o.Out + string(index))
	if err != nil {
		return nil, err
	}
	return []byte(want), p.differ("lines with originals: a search", strings.Count(want, "\n"), want, got)
}

// An enrichment is the values that are derived of the captures of a plan.
type enrichment struct {
	*probe
	common []string // options of all ways
	values []string
}

func (p *probe) enrichment() (*enrichment, error) {
	var paths strings.Builder
	for _, file := range p.files {
		fmt.Fprintf(&paths, "%s\t%s\n", file[strings.LastIndexByte(file, '/')+1:], file)
	}
	file, err := p.write("paths.tsv", sorted(paths.String()))
	if err != nil {
		return nil, err
	}
	e := &enrichment{probe: p, common: []string{"--path-index", file}, values: p.c.Values}
	for _, condition := range p.c.Keep {
		e.common = append(e.common, "--keep", condition)
	}
	e.common = append(e.common, p.c.Extra...)
	return e, nil
}

// table has the options for rows of some values, beside where their records lie.
func (e *enrichment) table(values ...string) []string {
	columns := []string{"filename", "offset"}
	for i, value := range values {
		columns = append(columns, fmt.Sprintf("v%d = value(%s)", i, strconv.Quote(value)))
	}
	return slices.Concat(e.common, []string{"--columns", strings.Join(columns, ", ")})
}

// tsv are the options for rows on standard output.
func (e *enrichment) tsv(values ...string) []string {
	return append(e.table(values...), "--save", "tsv")
}

const enrich = "enrich-captures"

func (e *enrichment) check(plan []byte) error {
	all := e.tsv(e.values...)
	want, err := e.stage(way{name: "as usual"}, plan, enrich, append(all, "--workers", "2")...)
	if err != nil {
		return err
	}
	n := strings.Count(want.Out, "\n")
	workers := e.one([]way{{name: "one worker", args: []string{"--workers", "1"}}, {name: "seven workers", args: []string{"--workers", "7"}}})
	for _, w := range []way{workers, e.one(processors)} {
		got, err := e.stage(w, plan, enrich, all...)
		if err != nil {
			return err
		}
		if err := e.differ("rows: "+w.name, n, want.plain(), got.plain()); err != nil {
			return err
		}
	}
	// A case takes some of the ways: many cases find more than many ways of one.
	checks := []func([]byte, *outcome) error{e.otherTasks, e.some, e.alone, e.backwards, e.json, e.form, e.kept}
	for _, i := range e.random.Perm(len(checks))[:2] {
		if err := checks[i](plan, want); err != nil {
			return err
		}
	}
	return nil
}

// otherTasks derives the values of some captures without the others.
func (e *enrichment) otherTasks(plan []byte, want *outcome) error {
	got, err := e.inPieces(plan, 2+e.random.IntN(6), enrich, e.tsv(e.values...)...)
	if err != nil {
		return err
	}
	n := strings.Count(want.Out, "\n")
	if err := e.differ("rows: in other tasks", n, []any{want.Out, want.Rejects}, []any{got.Out, got.Rejects}); err != nil {
		return err
	}
	return nil
}

// some derives the values of some of the captures, which are not neighbours.
func (e *enrichment) some(plan []byte, want *outcome) error {
	lines := slices.Collect(strings.Lines(string(plan)))
	some := ""
	for _, line := range lines {
		if e.random.IntN(3) == 0 {
			some += line
		}
	}
	got, err := e.stage(way{name: "some"}, []byte(some), enrich, e.tsv(e.values...)...)
	if err != nil {
		return err
	}
	rows, of := byPlace(want.Out), byPlace(got.Out)
	for place, row := range of {
		if err := e.differ("rows: some of the captures", 1, rows[place], row); err != nil {
			return err
		}
	}
	return nil
}

// byPlace gives the rows of a table by file, offset and how often these have come.
func byPlace(table string) map[string][]string {
	all, times := map[string][]string{}, map[string]int{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		place := cells[0] + "\t" + cells[1]
		times[place]++
		all[fmt.Sprintf("%s\t%d", place, times[place])] = cells[2:]
	}
	return all
}

// alone derives each value without the others. A record that is rejected for the sake
// of one value has a row for another one.
func (e *enrichment) alone(plan []byte, want *outcome) error {
	rows := byPlace(want.Out)
	numbers := e.random.Perm(len(e.values))
	for _, i := range numbers[:min(2, len(numbers))] {
		got, err := e.stage(way{name: "alone"}, plan, enrich, e.tsv(e.values[i])...)
		if err != nil {
			return err
		}
		one := byPlace(got.Out)
		for place, row := range rows {
			if err := e.differ("rows: each value alone", 1, []string{e.values[i], place, row[i]}, []string{e.values[i], place, strings.Join(one[place], "\t")}); err != nil {
				return err
			}
		}
		if err := e.differ("rows: each value alone", 1, true, len(one) >= len(rows)); err != nil {
			return err
		}
		if len(want.Rejects) == 0 {
			if err := e.differ("rows: each value alone", 1, slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(one))); err != nil {
				return err
			}
		}
	}
	return nil
}

// backwards asks for the values in the other order.
func (e *enrichment) backwards(plan []byte, want *outcome) error {
	values := slices.Clone(e.values)
	slices.Reverse(values)
	got, err := e.stage(way{name: "values backwards"}, plan, enrich, e.tsv(values...)...)
	if err != nil {
		return err
	}
	rows, others := byPlace(want.Out), byPlace(got.Out)
	for _, row := range others {
		slices.Reverse(row)
	}
	return e.differ("rows: values backwards", len(rows), []any{rows, withoutReasons(want.Rejects)}, []any{others, withoutReasons(got.Rejects)})
}

// withoutReasons gives the rejected lines: which of several errors is named depends on
// the order of what is asked for.
func withoutReasons(rejects []string) []string {
	var lines []string
	for _, line := range rejects {
		if _, rest, ok := strings.Cut(line, "\t"); ok {
			_, line, _ = strings.Cut(rest, "\t")
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// kept holds the rows of the captures that --keep keeps against those of a plan of
// them.
func (e *enrichment) kept(plan []byte, want *outcome) error {
	if len(e.c.Keep) == 0 {
		return nil
	}
	o, err := e.stage(e.one(processors), plan, enrich, append(e.common, "--save", "plan")...)
	if err != nil {
		return err
	}
	if strings.Contains(string(plan), "warc/revisit") {
		return nil // a plan has revisits at their own places, without payload
	}
	got, err := e.stage(way{name: "kept"}, sorted(o.Out), enrich, e.tsv(e.values...)...)
	if err != nil {
		return err
	}
	return e.differ("rows: kept before", strings.Count(want.Out, "\n"), want.Out, got.Out)
}
