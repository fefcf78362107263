package profile

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/tally"
)

// WriteOptions say what is known beside the lines, and how much is listed.
type WriteOptions struct {
	Title                  string
	IndexFiles, IndexBytes int64
	Top                    int // URI-Rs
	TLDs                   int
}

// Write is the reducer that makes profile.json and profile.html, as side files, of all
// that Keys has made, sorted by the three fields of the keys.
func Write(t *stage.Task, o WriteOptions) error {
	r := &reading{
		options: o, perURI: spread{}, top: tally.Ranking{N: o.Top}, tlds: tally.Ranking{N: o.TLDs},
		tld: map[string]*TLD{}, hosts1: spread{}, years: map[int][]int64{},
	}
	sums := tally.Summer{Sum: r.sum}
	if err := sums.Read(t, "", nil); err != nil {
		return err
	}
	p := r.profile()
	for name, write := range map[string]func(io.Writer) error{
		"profile.json": p.WriteJSON,
		"profile.html": p.Page(o.Title).Write,
	} {
		f, err := t.Create(name)
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes profile.json.
func (p *Profile) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// A reading collects the tables of a profile.
type reading struct {
	options  WriteOptions
	totals   Totals
	perURI   spread
	top      tally.Ranking
	tlds     tally.Ranking
	tld      map[string]*TLD // those in tlds
	other    TLD             // those that are not
	address  TLD
	hosts1   spread // keys per TLD
	family2  [2]int64
	years    map[int][]int64
	exact    [exactDepth + 1][3]int64
	sizes    [2][maxDepth + 1]spread
	families [2][maxDepth + 1][2]int64
}

// widths are how many numbers the tables have.
var widths = map[string]int{
	"total": 1, "span": 1, "top": 1, "uri": 1, "tld": 9, "year": yearNumbers, "exact": 3,
	"host-size": 1, "path-size": 1, "host-family": 2, "path-family": 2,
}

func (r *reading) sum(e *tally.Entry, sum []int64) error {
	table, row := string(e.Table), string(e.Row)
	width, known := widths[table]
	if !known || len(sum) != width {
		return fmt.Errorf("unknown line of table %q in a profile", table)
	}
	number := func(text []byte, most int64) (int64, error) {
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || n < 0 || n > most {
			return 0, fmt.Errorf("table %s: %q is no number of a row", table, text)
		}
		return n, nil
	}
	switch table {
	case "total":
		return r.total(row, sum[0])
	case "span":
		if r.totals.First == "" {
			r.totals.First = row
		}
		r.totals.Last = row
	case "tld":
		r.addTLD(row, sum)
	case "top":
		key, err := stage.AppendUnescaped(nil, e.Row)
		if err != nil {
			return err
		}
		r.top.Add(string(key), sum[0])
	case "uri":
		n, err := number(e.Row, 1<<62)
		if err != nil {
			return err
		}
		r.perURI[n] += sum[0]
	case "year":
		year, err := number(e.Row, maxYear)
		if err != nil {
			return err
		}
		r.years[int(year)] = append([]int64(nil), sum...)
	case "exact":
		depth, err := number(e.Row, exactDepth)
		if err != nil {
			return err
		}
		copy(r.exact[depth][:], sum)
	default:
		return r.depth(table, e, sum, number)
	}
	return nil
}

func (r *reading) depth(table string, e *tally.Entry, sum []int64, number func([]byte, int64) (int64, error)) error {
	kind := 0
	if table[:4] == "path" {
		kind = 1
	}
	depth, err := number(e.Row, maxDepth)
	if err != nil {
		return err
	}
	if table[5:] == "family" {
		copy(r.families[kind][depth][:], sum)
		return nil
	}
	size, err := number(e.Column, 1<<62)
	if err != nil {
		return err
	}
	if r.sizes[kind][depth] == nil {
		r.sizes[kind][depth] = spread{}
	}
	r.sizes[kind][depth][size] += sum[0]
	return nil
}

func (r *reading) total(name string, n int64) error {
	t := &r.totals
	to, known := map[string]*int64{
		"lines": &t.Lines, "urims": &t.URIMs, "urirs": &t.URIRs, "keys": &t.Keys, "hosts": &t.Hosts, "addresses": &t.Addresses,
		"bytes": &t.Bytes, "without_host": &t.WithoutHost, "filtered": &t.Filtered,
	}[name]
	if !known {
		return fmt.Errorf("unknown total %q in a profile", name)
	}
	*to = n
	return nil
}

// addTLD takes a TLD, whose lines of all tasks have been added up.
func (r *reading) addTLD(name string, sum []int64) {
	r.hosts1[sum[2]+sum[6]]++
	if sum[8] > 0 {
		r.family2[0]++
		r.family2[1] += sum[8]
	}
	row := TLD{name, sum[0], sum[1], sum[2], sum[3]}
	r.address.add(TLD{name, sum[4], sum[5], sum[6], sum[7]})
	if row.URIMs == 0 {
		return
	}
	if !r.tlds.Wants(row.URIMs) {
		r.other.add(row)
		return
	}
	r.tld[name] = &row
	r.tlds.Add(name, row.URIMs)
	if len(r.tld) > len(r.tlds.Names) {
		// One has had to go, the new one or another.
		for old := range r.tld {
			if !r.tlds.Has(old) {
				r.other.add(*r.tld[old])
				delete(r.tld, old)
			}
		}
	}
}

func (t *TLD) add(o TLD) {
	t.URIMs += o.URIMs
	t.URIRs += o.URIRs
	t.Keys += o.Keys
	t.Hosts += o.Hosts
}

// ratio is a/b, and 0 of nothing.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// profile puts the tables together.
func (r *reading) profile() *Profile {
	t := r.totals
	t.IndexFiles, t.IndexBytes, t.Gamma = r.options.IndexFiles, r.options.IndexBytes, ratio(t.URIMs, t.URIRs)
	p := &Profile{Totals: t, TLDs: []TLD{}, TopURIs: []TopURI{}, Years: []Year{}, ExactDepths: []ExactDepth{}, HostDepths: []Depth{}, PathDepths: []Depth{}}
	for _, name := range r.tlds.Names {
		p.TLDs = append(p.TLDs, *r.tld[name.Name])
	}
	for name, rest := range map[string]TLD{"(address)": r.address, "(other)": r.other} {
		if rest.URIMs > 0 {
			rest.Name = name
			p.TLDs = append(p.TLDs, rest)
		}
	}
	if n := len(p.TLDs); n > 1 && p.TLDs[n-1].Name == "(address)" && p.TLDs[n-2].Name == "(other)" {
		p.TLDs[n-1], p.TLDs[n-2] = p.TLDs[n-2], p.TLDs[n-1]
	}
	m := r.perURI.measure()
	p.PerURI = Distribution{Max: m.max, Median: m.median, Mean: m.mean, Deviation: m.deviation, Gini: r.perURI.gini()}
	p.PerURI.Curve, p.PerURI.BreakPoint = r.perURI.concentration()
	for _, u := range r.top.Names {
		p.TopURIs = append(p.TopURIs, TopURI{u.Name, u.Count})
	}
	p.Years = r.yearTable()
	for depth, n := range r.exact {
		if n != [3]int64{} {
			name := strconv.Itoa(depth)
			if depth == exactDepth {
				name += "+"
			}
			p.ExactDepths = append(p.ExactDepths, ExactDepth{name, n[0], n[1], n[2]})
		}
	}
	r.sizes[0][1] = r.hosts1
	r.families[0][2] = r.family2
	for kind, table := range []*[]Depth{&p.HostDepths, &p.PathDepths} {
		for depth, sizes := range r.sizes[kind] {
			if len(sizes) > 0 {
				*table = append(*table, r.depthRow(kind, depth, sizes))
			}
		}
	}
	return p
}

func (r *reading) depthRow(kind, depth int, sizes spread) Depth {
	m, family := sizes.measure(), r.families[kind][depth]
	return Depth{
		Depth: depth, Prefixes: m.n, Keys: m.sum, Max: m.max, Mean: m.mean, Median: m.median, Deviation: m.deviation,
		Reduction: ratio(m.sum-m.n, r.totals.Keys), Parents: family[0], Children: family[1], MeanChildren: ratio(family[1], family[0]),
	}
}

func (r *reading) yearTable() []Year {
	table := []Year{}
	var urirs, urims int64
	for year := range maxYear + 1 {
		n := r.years[year]
		if n == nil {
			continue
		}
		urirs += n[yearNew]
		urims += n[yearURIMs]
		table = append(table, Year{
			Year: year, URIRs: n[yearURIRs], NewURIRs: n[yearNew], CumulativeURIRs: urirs,
			URIMs: n[yearURIMs], CumulativeURIMs: urims,
			Duplicates: 1 - ratio(n[yearNew], n[yearURIRs]), Gamma: ratio(n[yearURIMs], n[yearURIRs]), CumulativeGamma: ratio(urims, urirs),
			Status2XX: ratio(n[year2XX], n[yearURIMs]), Status3XX: ratio(n[year3XX], n[yearURIMs]),
			Status4XX: ratio(n[year4XX], n[yearURIMs]), Status5XX: ratio(n[year5XX], n[yearURIMs]),
		})
	}
	return table
}
