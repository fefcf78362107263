package profile

import (
	"bytes"
	"fmt"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/tally"
)

// Depths up to which there are prefixes, and from which on exact depths are one.
const (
	maxDepth   = 10
	exactDepth = 11
)

// Keys is the reducer that takes the keys of whole groups, sorted, and counts what
// stands below each prefix. It names so many of the most captured URI-Rs.
func Keys(t *stage.Task, top int) error {
	r := &reducer{task: t, top: tally.Ranking{N: top}}
	sums := tally.Summer{Sum: tally.Pass(t)}
	if err := sums.Read(t, "key", r.add); err != nil {
		return err
	}
	return r.finish()
}

// A reducer walks the tree of keys.
type reducer struct {
	task *stage.Task
	top  tally.Ranking
	uri  uri

	group, rest []byte   // of the last line
	tokens      [][]byte // of its key without the query; they point into group and rest
	labels      int      // how many of them are labels
	began       bool
	nodes       []node // open ones, one for each token: ")" is the host's root
	tld         domain // the open one, without its addresses
	address     domain // IP addresses in the open TLD, which is their first number
	isAddress   bool   // the last line's host is one

	perURI           map[int64]int64 // URI-Rs by their number of URI-Ms
	sizes            [2][maxDepth + 1]map[int64]int64
	families         [2][maxDepth + 1][2]int64 // parents, children
	exact            [exactDepth + 1][3]int64  // hosts, keys by host depth, keys by path depth
	years            [maxYear + 1][]int64
	urirs, keys      int64
	hosts, addresses int64
	numbers          []int64
	next             [][]byte
}

// A node is an open prefix.
type node struct{ keys, children int64 }

// A domain is what stands below a TLD.
type domain struct{ urims, urirs, keys, hosts int64 }

// The parts of a year's numbers.
const (
	yearURIMs = iota
	year2XX
	year3XX
	year4XX
	year5XX
	yearURIRs
	yearNew
	yearNumbers
)

// A uri is the open URI-R.
type uri struct {
	urims int64
	years []int // in which it was captured
	first int
}

func (r *reducer) add(e *tally.Entry) error {
	var err error
	if r.numbers, err = e.Numbers(r.numbers); err != nil {
		return err
	}
	if len(r.numbers) != 6 || r.numbers[0] < 0 || r.numbers[0] > maxYear || r.numbers[1] < 1 {
		return errKeyLine(e)
	}
	if !r.began || !bytes.Equal(e.Row, r.group) || !bytes.Equal(e.Column, r.rest) {
		r.endURI()
		if err := r.enter(e); err != nil {
			return err
		}
	}
	year := int(r.numbers[0])
	if r.years[year] == nil {
		r.years[year] = make([]int64, yearNumbers)
	}
	for i, n := range r.numbers[1:] {
		r.years[year][i] += n
	}
	r.uri.urims += r.numbers[1]
	r.domain().urims += r.numbers[1]
	for _, y := range r.uri.years {
		if y == year {
			return nil
		}
	}
	if len(r.uri.years) == 0 || year < r.uri.first {
		r.uri.first = year
	}
	r.uri.years = append(r.uri.years, year)
	return nil
}

// endURI counts the URI-R that the last lines were of.
func (r *reducer) endURI() {
	u := &r.uri
	if u.urims == 0 {
		return
	}
	if r.perURI == nil {
		r.perURI = map[int64]int64{}
	}
	r.perURI[u.urims]++
	r.urirs++
	r.domain().urirs++
	r.years[u.first][yearNew]++
	for _, y := range u.years {
		r.years[y][yearURIRs]++
	}
	if r.top.Wants(u.urims) {
		r.top.Add(surtOf(r.group, r.rest), u.urims)
	}
	u.urims, u.years = 0, u.years[:0]
}

// enter goes to the key of a line: nodes that it is not below are closed, new ones
// opened, and the key is counted in all of them unless the line before had it too.
func (r *reducer) enter(e *tally.Entry) error {
	path, _, _ := bytes.Cut(e.Column, []byte{querySeparator})
	r.next = split(r.next[:0], e.Row, path)
	labels := 1
	for labels < len(r.next) && string(r.next[labels]) != ")" {
		labels++
	}
	if labels == len(r.next) {
		return errKeyLine(e)
	}
	n := len(r.next)
	shared := 0
	for shared < n && shared < len(r.tokens) && bytes.Equal(r.next[shared], r.tokens[shared]) {
		shared++
	}
	same := r.began && shared == n && shared == len(r.tokens)
	newHost := !r.began || shared <= labels
	if !same {
		if err := r.close(shared); err != nil {
			return err
		}
		for range n - shared {
			r.nodes = append(r.nodes, node{})
		}
	}
	// Copied, and split again: the line is gone when the next one comes.
	r.group, r.rest = append(r.group[:0], e.Row...), append(r.rest[:0], e.Column...)
	r.tokens = split(r.tokens[:0], r.group, r.rest[:len(path)])
	r.labels, r.began = labels, true
	if !same {
		r.count(newHost)
	}
	return nil
}

// split appends the parts of both fields, between spaces.
func split(dst [][]byte, group, rest []byte) [][]byte {
	for _, field := range [][]byte{group, rest} {
		for more := true; more; {
			var token []byte
			token, field, more = bytes.Cut(field, []byte(" "))
			dst = append(dst, token)
		}
	}
	return dst
}

// domain is what the last line's host is counted for.
func (r *reducer) domain() *domain {
	if r.isAddress {
		return &r.address
	}
	return &r.tld
}

// count adds the key to all open nodes.
func (r *reducer) count(newHost bool) {
	if newHost {
		r.isAddress = isAddress(r.tokens[:r.labels])
	}
	r.keys++
	r.domain().keys++
	for i := range r.nodes {
		r.nodes[i].keys++
	}
	host, path := min(r.labels, exactDepth), min(len(r.tokens)-r.labels-1, exactDepth)
	r.exact[host][1]++
	r.exact[path][2]++
	if newHost {
		r.hosts++
		r.domain().hosts++
		r.exact[host][0]++
		if r.isAddress {
			r.addresses++
		}
	}
}

// close closes all nodes but the first n. A node is a child of the one above it if
// both are of hosts or both of paths.
func (r *reducer) close(n int) error {
	for i := len(r.nodes) - 1; i >= n; i-- {
		closed := r.nodes[i]
		r.nodes = r.nodes[:i]
		kind, depth := 0, i+1
		if i >= r.labels {
			kind, depth = 1, i-r.labels
		}
		if i > 0 && i != r.labels {
			r.nodes[i-1].children++
		}
		if i == 0 {
			if err := r.closeTLD(closed); err != nil {
				return err
			}
			continue
		}
		if depth <= maxDepth {
			if r.sizes[kind][depth] == nil {
				r.sizes[kind][depth] = map[int64]int64{}
			}
			r.sizes[kind][depth][closed.keys]++
		}
		if closed.children > 0 && depth < maxDepth {
			r.families[kind][depth+1][0]++
			r.families[kind][depth+1][1] += closed.children
		}
	}
	return nil
}

// closeTLD emits the numbers of a TLD, of which other tasks may have other groups.
func (r *reducer) closeTLD(n node) error {
	d, a := r.tld, r.address
	r.tld, r.address = domain{}, domain{}
	numbers := tally.AppendNumbers(nil, d.urims, d.urirs, d.keys, d.hosts, a.urims, a.urirs, a.keys, a.hosts, n.children)
	return r.task.Emit([]byte("tld"), r.tokens[0], nil, numbers)
}

func (r *reducer) finish() error {
	r.endURI()
	if err := r.close(0); err != nil {
		return err
	}
	var counts tally.Counts
	for name, n := range map[string]int64{"urirs": r.urirs, "keys": r.keys, "hosts": r.hosts, "addresses": r.addresses} {
		counts.Add(tally.Key{Table: "total", Row: name}, n)
	}
	for n, uris := range r.perURI {
		counts.Add(tally.Key{Table: "uri", Row: strconv.FormatInt(n, 10)}, uris)
	}
	for kind, name := range kinds {
		for depth := range maxDepth + 1 {
			at := strconv.Itoa(depth)
			for size, n := range r.sizes[kind][depth] {
				counts.Add(tally.Key{Table: name + "-size", Row: at, Column: strconv.FormatInt(size, 10)}, n)
			}
			if f := r.families[kind][depth]; f[0] > 0 {
				counts.Add(tally.Key{Table: name + "-family", Row: at}, f[:]...)
			}
		}
	}
	for depth, n := range r.exact {
		counts.Add(tally.Key{Table: "exact", Row: strconv.Itoa(depth)}, n[:]...)
	}
	for year, n := range r.years {
		if n != nil {
			counts.Add(tally.Key{Table: "year", Row: strconv.Itoa(year)}, n...)
		}
	}
	for _, u := range r.top.Names {
		counts.Add(tally.Key{Table: "top", Row: u.Name}, u.Count)
	}
	r.task.Count("keys", r.keys)
	return counts.Emit(r.task)
}

// kinds are the two kinds of prefixes.
var kinds = [2]string{"host", "path"}

// surtOf puts a key together of what stands in a line.
func surtOf(group, rest []byte) string {
	line := append(append(append([]byte{}, group...), ' '), rest...)
	line, query, hasQuery := bytes.Cut(line, []byte{querySeparator})
	host, path, _ := bytes.Cut(line, []byte(" )"))
	key := append(bytes.ReplaceAll(host, []byte(" "), []byte(",")), ')')
	if len(path) == 0 {
		path = []byte(" ")
	}
	key = append(key, bytes.ReplaceAll(path, []byte(" "), []byte("/"))...)
	if hasQuery {
		key = append(append(key, '?'), query...)
	}
	if text, err := stage.AppendUnescaped(nil, key); err == nil {
		key = text
	}
	return string(key)
}

// isAddress reports whether a host is an IP address: four numbers in reversed order, the
// last of which can have a port, or one label of hexadecimal numbers between colons.
func isAddress(labels [][]byte) bool {
	if len(labels) == 1 {
		digits := bytes.TrimLeft(labels[0], "0123456789abcdef:")
		return len(digits) == 0 && bytes.Count(labels[0], []byte(":")) > 1
	}
	for i, label := range labels {
		if i == len(labels)-1 {
			label, _, _ = bytes.Cut(label, []byte(":"))
		}
		if n, err := strconv.ParseUint(string(label), 10, 8); err != nil || strconv.FormatUint(n, 10) != string(label) {
			return false
		}
	}
	return len(labels) == 4
}

func errKeyLine(e *tally.Entry) error {
	return fmt.Errorf("not a line of a key: %q %q %q", e.Row, e.Column, e.Value)
}
