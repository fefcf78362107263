package mementomap

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A model is a compaction as the rules say it, with the whole tree in memory and
// nothing of the code that it is compared with but frequencies and cut-offs.
type model struct {
	root    *modelNode
	outside []string
}

type modelNode struct {
	key      string
	isPath   bool
	depth    int
	children map[string]*modelNode
	root     *modelNode // of a host: its paths
	lines    []string   // its own line and its wildcard's
}

var clean = regexp.MustCompile(`^([^)*+]+)\)((?:/.*)?)$`)

func newModel(lines []string) *model {
	m := &model{root: &modelNode{}}
	excluded := "\x00"
	for _, line := range lines {
		key, rest, _ := strings.Cut(line, " ")
		f, _ := ParseFrequency([]byte(strings.Fields(rest)[0]))
		if host, isRoot := strings.CutSuffix(key, ")/"); isRoot && !strings.Contains(host, ")") {
			key = host + ")"
		}
		line = key + " " + rest
		host, path := "", ""
		switch parts := clean.FindStringSubmatch(key); {
		case f.IsZero():
			if begin, is := strings.CutSuffix(key, "*"); is && !strings.HasPrefix(key, excluded) {
				excluded = begin
			}
		case strings.HasPrefix(key, excluded):
		case parts != nil:
			host, path = parts[1], parts[2]
		case len(key) > 2 && strings.HasSuffix(key, ",*") && !strings.ContainsAny(key[:len(key)-2], ")*+"):
			host = key[:len(key)-2]
		}
		if host == "" {
			m.outside = append(m.outside, line)
			continue
		}
		n := m.root
		for _, label := range strings.Split(host, ",") {
			n = n.child(label, ",", false)
		}
		if !strings.HasSuffix(key, ",*") || path != "" {
			if n.root == nil {
				n.root = &modelNode{key: n.key + ")", isPath: true}
			}
			n = n.root
			if path = strings.TrimSuffix(path, "/*"); path != "" {
				for _, segment := range strings.Split(path[1:], "/") {
					n = n.child(segment, "/", true)
				}
			}
		}
		n.lines = append(n.lines, line)
	}
	return m
}

func (n *modelNode) child(name, separator string, isPath bool) *modelNode {
	if n.children == nil {
		n.children = map[string]*modelNode{}
	}
	c := n.children[name]
	if c == nil {
		key := n.key + separator + name
		if n.key == "" {
			key = name
		}
		c = &modelNode{key: key, isPath: isPath, depth: n.depth + 1}
		n.children[name] = c
	}
	return c
}

// compact gives the lines of the map, sorted.
func (m *model) compact(c Cutoffs) []string {
	hosts, paths := c.limits()
	all := slices.Clone(m.outside)
	var visit func(n *modelNode) []string
	visit = func(n *modelNode) []string {
		lines := slices.Clone(n.lines)
		for _, child := range n.children {
			lines = append(lines, visit(child)...)
		}
		if n.root != nil {
			lines = append(lines, visit(n.root)...)
		}
		limits, separator := hosts, ","
		if n.isPath {
			limits, separator = paths, "/"
		}
		if n.key == "" || n.depth >= len(limits) || int64(len(n.children)) <= limits[n.depth] {
			return lines
		}
		var sum Frequency
		for _, line := range lines {
			sum.Add(frequencyOf([]byte(line)))
		}
		return []string{n.key + separator + "* " + sum.String()}
	}
	all = append(all, visit(m.root)...)
	slices.Sort(all)
	return all
}

// compacted runs lines through a compactor.
func compacted(t testing.TB, lines []string, o CompactOptions, tune func(*Compactor)) []string {
	t.Helper()
	var out strings.Builder
	c := NewCompactor(o, func(text []byte) error {
		if len(text) == 0 || text[len(text)-1] != '\n' {
			t.Fatalf("given %q: whole lines are wanted", text)
		}
		out.Write(text)
		return nil
	})
	if tune != nil {
		tune(c)
	}
	for _, line := range lines {
		if err := c.Add([]byte(line)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSuffix(out.String(), "\n")
	if text == "" {
		return nil
	}
	made := strings.Split(text, "\n")
	if n := c.Stats().Lines; n != int64(len(made)) {
		t.Fatalf("%d lines are counted, %d are there", n, len(made))
	}
	return made
}

// small lets text in memory be no more than some lines, so that it goes to a file.
func small(c *Compactor) { c.text.room, c.flushAt, c.flushStep = 100, 50, 50 }

// randomMap gives sorted lines with different keys, many of which are the begin of
// others, wildcards or exclusions.
func randomMap(r *rand.Rand, n int, odd bool) []string {
	labels := []string{"a", "b", "c", "a-b", "ab", "a!", "x1"}
	segments := []string{"a", "b", "a-b", "a.html", "a!", "ab", "%20", "b-", "c"}
	if odd {
		labels = append(labels, "a+b", "a*", "a)b", "a)")
		segments = append(segments, "", "*a", "a)")
	}
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	seen := map[string]bool{}
	var lines []string
	for range n {
		key := pick([]string{"com", "net", "pt"})
		for range r.IntN(4) {
			key += "," + pick(labels)
		}
		switch r.IntN(40) {
		case 0:
			key += ",*"
		case 1:
			if odd {
				break // no host
			}
			fallthrough
		default:
			key += ")"
			for range r.IntN(5) {
				key += "/" + pick(segments)
			}
			switch r.IntN(20) {
			case 0:
				key += "/*"
			case 1:
				if key[len(key)-1] == ')' {
					key += "/"
				}
			}
		}
		if !isRoot([]byte(key)) {
			key = strings.TrimRight(key, "/") // of those Add has an error
		}
		if bare := strings.TrimSuffix(key, "/"); seen[bare] {
			continue
		}
		seen[strings.TrimSuffix(key, "/")] = true
		frequency := fmt.Sprint(1 + r.IntN(9))
		switch r.IntN(12) {
		case 0:
			frequency = "0"
		case 1:
			frequency += pick([]string{"+", "-", "~", "/3", "/2+", "/1-", "~/7~"})
		}
		lines = append(lines, key+" "+frequency)
	}
	slices.Sort(lines)
	return slices.DeleteFunc(lines, func(line string) bool { return contradicted(line, lines) })
}

// contradicted says whether a line is an exclusion's wildcard that covers the key of
// a line before it: of these nothing is promised.
func contradicted(line string, lines []string) bool {
	node, is := strings.CutSuffix(line, "* 0")
	if !is {
		return false
	}
	for _, other := range lines {
		if other >= line {
			return false
		}
		key, value, _ := strings.Cut(other, " ")
		own := strings.TrimSuffix(key, "/") == node[:len(node)-1]
		if node[len(node)-1] == ',' {
			own = strings.HasPrefix(key, node[:len(node)-1]+")")
		}
		if value != "0" && (own || strings.HasPrefix(key, node)) {
			return true
		}
	}
	return false
}

func randomCutoffs(r *rand.Rand) Cutoffs {
	c := Cutoffs{HostWeight: 1, PathWeight: 1}
	for range 1 + r.IntN(5) {
		c.HostMeans = append(c.HostMeans, float64(r.IntN(5)))
	}
	for range 1 + r.IntN(5) {
		c.PathMeans = append(c.PathMeans, float64(r.IntN(5)))
	}
	return c
}

func TestCompactsAsTheModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 7))
		lines := randomMap(r, 1+r.IntN(80), seed%2 == 1)
		cutoffs := randomCutoffs(r)
		want := newModel(lines).compact(cutoffs)
		for name, tune := range map[string]func(*Compactor){"in memory": nil, "in files": small} {
			got := compacted(t, lines, CompactOptions{Cutoffs: cutoffs}, tune)
			if !slices.IsSorted(got) {
				t.Fatalf("seed %d: not sorted: %q", seed, got)
			}
			// A root keeps its slash behind a line that its key without one would
			// sort before.
			for i, line := range got {
				if key, rest, _ := strings.Cut(line, " "); strings.IndexByte(key, ')') == len(key)-2 {
					got[i] = strings.TrimSuffix(key, "/") + " " + rest
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %s, %+v:\n%s\n%s", seed, name, cutoffs, strings.Join(lines, "\n"), diff)
			}
		}
	}
}
