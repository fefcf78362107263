package mementomap

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"archivestream/lib/stage"
)

// MeasureMap is the stage that measures a map, as Compact reads it: it emits its
// Totals as a JSON object.
func MeasureMap(t *stage.Task, o CompactOptions, files bool) error {
	measure := func(read func(*Measure) error) error {
		m := NewMeasure(o)
		if err := read(m); err != nil {
			return err
		}
		totals, err := m.Close()
		if err != nil {
			return err
		}
		line, err := json.Marshal(totals)
		if err != nil {
			return err
		}
		return t.Write(line)
	}
	if !files {
		return measure(func(m *Measure) error {
			return addLines(t, m.Add, func([]byte) error { return nil })
		})
	}
	return eachRange(t, func(r fileRange) error {
		return measure(func(m *Measure) error { return r.lines(t, o.Roll, m.Add) })
	})
}

// ChooseOptions say what weights Choose is to find.
type ChooseOptions struct {
	Lines      int64   // of the map at most; 0: Cost counts
	Cost       float64 // lines for each URI-R at most; 0: no weights, the curves alone
	HostWeight float64 // fixed; below 0: to be found
	PathWeight float64
	// TLDs that are strong in the archive are told, as lines roll TAB TLD: those
	// with more registered domains than RollWeight times what is to be expected. That
	// is the archive's domains times the TLD's share of Popularity, which has a
	// number (of domains, say) for each TLD; without a table the mean of all TLDs.
	RollWeight float64 // 0: none are told
	Popularity map[string]float64
}

// Choose is the reducer that adds up Totals and writes lines NAME TAB VALUE:
// host-weight and path-weight that make a map of the wished size, the number of its
// lines, and host-curve and path-curve, fitted to the mean numbers of children.
func Choose(t *stage.Task, o ChooseOptions) error {
	var all *Totals
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		var totals Totals
		if err := json.Unmarshal(line, &totals); err != nil {
			return fmt.Errorf("not what measure-mementomap writes: %w", err)
		}
		if len(totals.Lines) != len(Weights)*len(Weights) {
			return errors.New("not what measure-mementomap of this version writes")
		}
		if all == nil {
			all = &totals
		} else if err := all.Add(totals); err != nil {
			return err
		}
	}
	if all == nil {
		return errors.New("nothing was measured")
	}
	emit := func(name, value string) error { return t.Emit([]byte(name), []byte(value)) }
	if o.Lines > 0 || o.Cost > 0 {
		lines := o.Lines
		if o.Cost > 0 {
			lines = int64(o.Cost * float64(all.URIs))
		}
		h, p, err := all.Choose(lines, nearest(o.HostWeight), nearest(o.PathWeight))
		if err != nil {
			return stage.Hint(err, "wish for more lines, or let more be rolled up: --roll, or no --keep-suffixes")
		}
		host, path := Weights[h], Weights[p]
		if o.HostWeight >= 0 {
			host = o.HostWeight
		}
		if o.PathWeight >= 0 {
			path = o.PathWeight
		}
		err = errors.Join(
			emit("host-weight", strconv.FormatFloat(host, 'g', -1, 64)),
			emit("path-weight", strconv.FormatFloat(path, 'g', -1, 64)),
			emit("lines", strconv.FormatInt(all.LinesFor(h, p), 10)))
		if err != nil {
			return err
		}
	}
	if o.RollWeight > 0 {
		for _, tld := range strong(all.TLDs, o.RollWeight, o.Popularity) {
			if err := emit("roll", tld); err != nil {
				return err
			}
		}
	}
	for _, kind := range []struct {
		name     string
		families []Family
		first    int // of them the index with x = 1
	}{{"host-curve", all.Hosts, 1}, {"path-curve", all.Paths, 0}} {
		c, ok := Fit(kind.families, kind.first)
		if !ok {
			continue // no node has children
		}
		if err := emit(kind.name, fmt.Sprintf("%.6g,%.6g", c.A, c.K)); err != nil {
			return err
		}
	}
	return nil
}

// fewDomains is a number of registered domains that is never strong: the paper's
// curve has 16.3 children for a TLD.
const fewDomains = 16

// strong gives the TLDs that have more registered domains than is to be expected,
// sorted.
func strong(tlds map[string]int64, weight float64, popularity map[string]float64) []string {
	var domains, popular float64
	for _, n := range tlds {
		domains += float64(n)
	}
	for _, n := range popularity {
		popular += n
	}
	var found []string
	for tld, n := range tlds {
		expected := domains / float64(len(tlds))
		if popularity != nil {
			expected = domains * popularity[tld] / popular
		}
		if n > fewDomains && float64(n) > weight*expected {
			found = append(found, tld)
		}
	}
	slices.Sort(found)
	return found
}

// ReadPopularity reads a table of TLDs: TLD TAB NUMBER in each line.
func ReadPopularity(name string) (map[string]float64, error) {
	text, err := readAll(name)
	if err != nil {
		return nil, err
	}
	table := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("%s: %q: TLD and number are wanted", name, strings.TrimSpace(line))
		}
		n, err := strconv.ParseFloat(fields[1], 64)
		if err != nil || n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, fmt.Errorf("%s: %q: TLD and number are wanted", name, strings.TrimSpace(line))
		}
		table[strings.ToLower(strings.TrimPrefix(fields[0], "."))] += n
	}
	if len(table) == 0 {
		return nil, fmt.Errorf("%s: no TLD is in it", name)
	}
	return table, nil
}

// nearest gives the index of the Weight that is nearest to a fixed one, and not
// larger, so that the map has no fewer lines than are told; -1 for one to be found.
func nearest(weight float64) int {
	if weight < 0 {
		return -1
	}
	at := 0
	for i, w := range Weights {
		if w <= weight*(1+1e-12) {
			at = i
		}
	}
	return at
}

// Fit fits a power law to the mean numbers of children of nodes by depth, by least
// squares of the means, as the paper does it: x is 1 for the family with the index
// first. Families before x = 2 of hosts (TLDs) do not count. It is false where
// fewer than two depths have children.
func Fit(families []Family, first int) (Curve, bool) {
	var xs, ys []float64
	for i := first; i < len(families); i++ {
		if first == 1 && i == 1 || families[i].Parents == 0 {
			continue
		}
		xs, ys = append(xs, float64(i-first+1)), append(ys, families[i].Mean())
	}
	switch len(xs) {
	case 0:
		return Curve{}, false
	case 1:
		return Curve{ys[0], 0}, true
	}
	// For a given K the best A is known; the rest of the error has one minimum in
	// practice, which a grid and a golden section find.
	best := func(k float64) (a, rest float64) {
		var xy, xx float64
		for i, x := range xs {
			p := math.Pow(x, -k)
			xy, xx = xy+p*ys[i], xx+p*p
		}
		a = xy / xx
		for i, x := range xs {
			d := ys[i] - a*math.Pow(x, -k)
			rest += d * d
		}
		return a, rest
	}
	at, least := 0.0, math.Inf(1)
	for k := -2.0; k <= 6; k += 0.05 {
		if _, rest := best(k); rest < least {
			at, least = k, rest
		}
	}
	lo, hi := at-0.05, at+0.05
	for range 60 {
		l, h := lo+(hi-lo)/3, hi-(hi-lo)/3
		_, atL := best(l)
		_, atH := best(h)
		if atL < atH {
			hi = h
		} else {
			lo = l
		}
	}
	a, _ := best(lo)
	return Curve{a, lo}, true
}
